{{/* The budget of the Pods of one component; `least`: how many of them a drain leaves. */}}
{{- define "invoices.budget" -}}
{{- $pods := dict "root" .root "part" "" "component" .component }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{- include "invoices.metadata" (merge (dict "name" (print .root.Values.name "-" .component)) $pods) | nindent 2 }}
spec:
  minAvailable: {{ .least }}
  selector:
    matchLabels: {{- include "invoices.labels" $pods | nindent 6 }}
  unhealthyPodEvictionPolicy: AlwaysAllow
{{- end }}
