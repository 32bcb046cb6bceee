"""Fine-tuning of other people's checkpoints on labelled documents, each as its adapter will show it documents."""
