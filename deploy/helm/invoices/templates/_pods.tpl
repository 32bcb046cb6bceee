{{/* Each takes a dict: `root` is the chart's context, `part` as in serve_app/manifests/pods.py. */}}
{{- define "invoices.namespace" -}}
{{ .Values.namespace | default .Release.Namespace }}
{{- end }}

{{- define "invoices.labels" -}}
app.kubernetes.io/name: {{ .root.Values.name }}{{ .part }}
app.kubernetes.io/part-of: invoice-extraction
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- define "invoices.metadata" -}}
name: {{ .name | default (print .root.Values.name .part) }}
namespace: {{ include "invoices.namespace" .root }}
labels:
  {{- include "invoices.labels" . | nindent 2 }}
  {{- with .labels }}{{- toYaml . | nindent 2 }}{{ end }}
{{- with .annotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "invoices.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "invoices.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{/* What serve_app/manifests/placement.py makes of `size`. */}}
{{- define "invoices.placement" -}}
{{- with .size.node_selector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .size.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .size.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .size.priority_class }}
priorityClassName: {{ . }}
{{- end }}
{{- with .root.Values.image_pull_secrets }}
imagePullSecrets:
  {{- range . }}
  - {name: {{ . }}}
  {{- end }}
{{- end }}
{{- end }}

{{/* A Pod of the service: who it is, and where it runs. */}}
{{- define "invoices.podSettings" -}}
securityContext: {{- include "invoices.podSecurity" 10001 | nindent 2 }}
{{- $spread := .size.spread }}
{{- if kindIs "invalid" $spread }}{{ $spread = list dict }}{{ end }}
{{- with $spread }}
topologySpreadConstraints:
  {{- range . }}
  - maxSkew: 1
    topologyKey: {{ .over | default "kubernetes.io/hostname" }}
    whenUnsatisfiable: {{ ternary "DoNotSchedule" "ScheduleAnyway" (default false .required) }}
    labelSelector:
      matchLabels: {{- include "invoices.labels" (omit $ "component") | nindent 8 }}
  {{- end }}
{{- end }}
{{- include "invoices.placement" . }}
{{- with .root.Values.service_account }}
serviceAccountName: {{ . }}
{{- end }}
{{- end }}

{{/* The address of an object for Prometheus' operator, with the labels by which it is selected. */}}
{{- define "invoices.monitored" -}}
{{- include "invoices.metadata" (merge (dict "labels" .root.Values.monitoring_labels) .) }}
{{- end }}

{{- define "invoices.resources" -}}
{{- $size := dict "cpu" (toString .cpu) "memory" .memory }}
{{- if .gpus }}{{ $_ := set $size "nvidia.com/gpu" (toString .gpus) }}{{ end }}
{{- toYaml (dict "requests" $size "limits" $size) }}
{{- end }}

{{- define "invoices.needsVolume" -}}
{{- if or (eq .Values.database "sqlite") (eq .Values.files "folder") }}yes{{ end }}
{{- end }}

{{- define "invoices.volumes" -}}
- name: data
  {{- if include "invoices.needsVolume" . }}
  persistentVolumeClaim: {claimName: {{ .Values.name }}-data}
  {{- else }}
  emptyDir: {}
  {{- end }}
- {name: tmp, emptyDir: {}}
- name: secrets
  secret: {secretName: {{ .Values.secret }}, defaultMode: 288}
{{- end }}

{{- define "invoices.mounts" -}}
- {name: data, mountPath: /data}
- {name: tmp, mountPath: /tmp}
- {name: secrets, mountPath: /run/secrets/invoices, readOnly: true}
{{- end }}

{{/* The variables of a container, as YAML of a map; `more` wins over those of the settings. */}}
{{- define "invoices.environment" -}}
{{- $values := .root.Values }}
{{- $constants := .root.Files.Get "files/constants.yaml" | fromYaml }}
{{- $found := merge (dict
  "RAY_SERVE_ENABLE_HA_PROXY" "1"
  "RAY_SERVE_HAPROXY_BINARY_PATH" "/app/actors/haproxy.sh"
  "CREDENTIALS_DIRECTORY" "/run/secrets/invoices"
  "PUBLIC_URL" (print "https://" $values.ingress.host)
  "METRICS_LISTEN" "0.0.0.0:9464"
  "METRICS_FOLDER" "/tmp/metrics"
  "MAIL_FOLDER" "/data/mail"
  "INVOICES_LOG" "/proc/1/fd/2") $constants.environment }}
{{- if eq $values.database "sqlite" }}{{ $_ := set $found "DATABASE_URL" "sqlite:////data/invoices.db" }}{{ end }}
{{- if eq $values.files "folder" }}{{ $_ := set $found "FILES_URL" "/data/files" }}{{ end }}
{{- if eq $values.files "gridfs" }}{{ $_ := set $found "FILES_URL" "gridfs" }}{{ end }}
{{- range $name, $value := mergeOverwrite $found (deepCopy ($values.settings | default dict)) (.more | default dict) }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end }}

{{- define "invoices.environmentSecret" -}}
{{- with .Values.environment_secret }}
envFrom: [{secretRef: {name: {{ . }}}}]
{{- end }}
{{- end }}
