{{/* The alarms, with links to the documentation where it is, as serve_app/manifests/alarms.py makes them. */}}
{{- define "invoices.alarms" -}}
{{- $docs := .Values.docs_url | default "https://docs.example.com" }}
{{- $spec := .Files.Get "files/rules.yaml" | replace "https://docs.example.com" $docs | fromYaml }}
{{- if not .Values.docs_url }}
{{- range $spec.groups }}{{ range .rules }}{{ $_ := unset .annotations "runbook_url" }}{{ end }}{{ end }}
{{- end }}
{{- toYaml $spec }}
{{- end }}
