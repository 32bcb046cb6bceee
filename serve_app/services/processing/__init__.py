"""From a claim to a finished invoice: claiming, reading, labelling, reconciling."""
