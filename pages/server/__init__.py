"""What all lessons share; beside the pages themselves the only place that imports streamlit."""
