"""Values of fields that an account adds: found by caption and by place, as people have pointed at them (ADR 0175)."""
