"""A simulated year of coding: firms whose habits, charts and vendors are generated."""
