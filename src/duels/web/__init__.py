"""Play in the browser: a server that keeps matches, and the pages that show them."""
