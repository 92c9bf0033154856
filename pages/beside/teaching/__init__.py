"""Parts of the page for teachers: a link, a lesson plan, what to know before class."""
