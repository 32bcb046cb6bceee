{{/* A Pod of the Ray cluster: `size`, `container`, `component`, and `serves`: whether it takes calls. */}}
{{- define "invoices.rayPod" -}}
{{- $more := dict }}
{{- if .serves }}{{ $_ := set $more "RAY_gcs_rpc_server_reconnect_timeout_s" "600" }}{{ end }}
metadata:
  labels: {{- include "invoices.labels" . | nindent 4 }}
spec:
  containers:
    - name: {{ .container }}
      image: {{ .root.Values.image }}
      env: {{- include "invoices.environment" (dict "root" .root "more" $more) | nindent 8 }}
      ports:
        {{- if not .serves }}
        - {name: gcs, containerPort: 6379}
        - {name: dashboard, containerPort: 8265}
        {{- end }}
        - {name: serve, containerPort: 8000}
        - {name: numbers, containerPort: 9464}
      resources: {{- include "invoices.resources" .size | nindent 8 }}
      securityContext: {{- include "invoices.containerSecurity" . | nindent 8 }}
      volumeMounts: {{- include "invoices.mounts" . | nindent 8 }}
      livenessProbe:
        httpGet: {path: /api/healthz, port: 52365}
        periodSeconds: 5
        timeoutSeconds: 5
        initialDelaySeconds: 30
        failureThreshold: 24
      readinessProbe:
        {{- if .serves }}
        httpGet: {path: /-/healthz, port: 8000}
        {{- else }}
        httpGet: {path: /api/healthz, port: 52365}
        {{- end }}
        periodSeconds: 5
        timeoutSeconds: 5
        initialDelaySeconds: 10
        failureThreshold: 2
      lifecycle: {preStop: {exec: {command: [sleep, "20"]}}}
      {{- include "invoices.environmentSecret" .root | nindent 6 }}
  volumes: {{- include "invoices.volumes" .root | nindent 4 }}
  {{- include "invoices.podSettings" . | nindent 2 }}
  terminationGracePeriodSeconds: 120
{{- end }}

{{/* The Serve configuration with the limits of replicas on a Pod, as serve_app/manifests/graph.py sets them. */}}
{{- define "invoices.graph" -}}
{{- $graph := .Files.Get "files/serve.yaml" | fromYaml }}
{{- $pods := 0 }}{{ $gpuPods := 0 }}{{ $hasGpus := .Values.head.gpus }}
{{- range .Values.workers }}
{{- $pods = add $pods .most }}
{{- if .gpus }}{{ $gpuPods = add $gpuPods .most }}{{ $hasGpus = true }}{{ end }}
{{- end }}
{{- range $graph.applications }}{{ range .deployments }}
{{- $options := .ray_actor_options | default dict }}
{{- if and $options.num_gpus (not $hasGpus) }}{{ $_ := set $options "num_gpus" 0 }}{{ end }}
{{- if $.Values.workers }}
{{- $most := (.autoscaling_config | default dict).max_replicas | default (.num_replicas | default 1) }}
{{- $nodes := ternary $gpuPods $pods (not (not $options.num_gpus)) | default 1 }}
{{- $_ := set . "max_replicas_per_node" (ceil (divf $most $nodes) | int) }}
{{- end }}
{{- end }}{{ end }}
{{- toYaml $graph }}
{{- end }}
