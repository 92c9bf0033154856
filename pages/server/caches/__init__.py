"""What is kept between runs of a page: caches with a bound, the trainer, own models."""
