"""The models: torch and transformers are imported nowhere else."""
