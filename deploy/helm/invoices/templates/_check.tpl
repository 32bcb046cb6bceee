{{/* What values.schema.json cannot say: the checks of serve_app/manifests/values.py. */}}
{{- define "invoices.check" -}}
{{- $values := .Values }}
{{- $least := 0 }}
{{- range $values.workers }}
{{- $least = add $least .least }}
{{- if gt (int .least) (int .most) }}{{ fail (printf "workers.%s: least (%v) is more than most (%v)" .name .least .most) }}{{ end }}
{{- end }}
{{- if eq $values.database "sqlite" }}
{{- if $values.workers }}{{ fail "SQLite is for one machine: leave out workers, or choose mongodb" }}{{ end }}
{{- if $values.mail }}{{ fail "SQLite is for one machine, and mail has Pods of its own: leave it out, or choose mongodb" }}{{ end }}
{{- if eq $values.files "gridfs" }}{{ fail "gridfs is in MongoDB; choose folder or s3 for files" }}{{ end }}
{{- else if not $least }}{{ fail "with mongodb the workers hold the replicas: at least one of them is needed" }}
{{- end }}
{{- if kindIs "map" $values.redis }}
{{- if eq (empty $values.redis.address) (empty $values.redis.image) }}
{{- fail "redis: name either the address of a Redis, or the image of one that is to be rendered" }}
{{- end }}
{{- if and $values.redis.image (eq $values.redis.has_password false) }}
{{- fail "the Redis that is rendered has a password: put redis_password into the Secret" }}
{{- end }}
{{- end }}
{{- end }}
