"""Parts of the page beside the lessons that asks before and after them what was understood."""
