"""The models: torch and transformers live here and nowhere else."""
