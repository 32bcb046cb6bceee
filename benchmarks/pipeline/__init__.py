"""Documents through the whole service, from POST to event, against the bare work on their pages."""
