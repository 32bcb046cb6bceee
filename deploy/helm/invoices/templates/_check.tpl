{{/* What values.schema.json cannot say: the checks of serve_app/manifests/values.py. */}}
{{- define "invoices.check" -}}
{{- $values := .Values }}
{{- $least := 0 }}
{{- range $values.workers }}
{{- $least = add $least .least }}
{{- if gt (int .least) (int .most) }}{{ fail (printf "workers.%s: least (%v) is more than most (%v)" .name .least .most) }}{{ end }}
{{- end }}
{{- if eq $values.database "sqlite" }}
{{- if $values.workers }}{{ fail "SQLite supports only one machine: remove workers, or use mongodb" }}{{ end }}
{{- if $values.mail }}{{ fail "SQLite supports only one machine, but mail needs separate Pods: remove mail, or use mongodb" }}{{ end }}
{{- if $values.watch }}{{ fail "SQLite supports only one machine, but watch needs separate Pods: remove watch, or use mongodb" }}{{ end }}
{{- if $values.backup }}{{ fail "SQLite supports only one machine, but backup needs separate Pods: remove backup, or use mongodb" }}{{ end }}
{{- if eq $values.files "gridfs" }}{{ fail "gridfs needs MongoDB; use folder or s3 for files" }}{{ end }}
{{- else if not $least }}{{ fail "with mongodb the workers run the replicas: set at least one worker" }}
{{- end }}
{{- if eq (empty $values.ingress.tls_secret) (empty $values.ingress.gateway) }}
{{- fail "set either the tls_secret of an Ingress or a gateway" }}
{{- end }}
{{- if kindIs "map" $values.redis }}
{{- if eq (empty $values.redis.address) (empty $values.redis.image) }}
{{- fail "redis: set either the address of a Redis or the image of a rendered one" }}
{{- end }}
{{- if and $values.redis.image (eq $values.redis.has_password false) }}
{{- fail "the rendered Redis needs a password: add redis_password to the Secret" }}
{{- end }}
{{- end }}
{{- end }}
