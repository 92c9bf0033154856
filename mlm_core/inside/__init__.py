"""Why a masked model predicts what it predicts."""
