"""The site as plain files: the same pages, and the same Python inside the browser."""
