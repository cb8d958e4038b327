"""The laboratory: environments, arena, exams, atlas, and jobs on all cores or a cluster."""
