"""What differs from one Kubernetes deployment to the next."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

# As Kubernetes writes them; a name becomes part of names of Pods, which have 63 characters.
Name = Annotated[str, Field(pattern=r"^[a-z]([-a-z0-9]*[a-z0-9])?$", max_length=40)]
Quantity = Annotated[str, Field(pattern=r"^[0-9]+(\.[0-9]+)?(m|Ki|Mi|Gi|Ti)?$")]
Cron = Annotated[str, Field(pattern=r"^\S+ \S+ \S+ \S+ \S+$")]
"""Times as cron writes them, by the clock of Kubernetes."""
Image = Annotated[str, Field(pattern=r"@sha256:[0-9a-f]{64}$")]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Spread(_Part):
    """What Pods are spread over: labels of nodes."""

    over: str = "kubernetes.io/hostname"
    """`topology.kubernetes.io/zone` for zones."""
    required: bool = False
    """Whether a Pod waits if it would lie beside another one."""


class Placement(_Part):
    """On which nodes Pods run."""

    node_selector: dict[str, str] = {}
    tolerations: tuple[dict[str, str | int], ...] = ()
    """As Kubernetes writes them."""
    affinity: dict[str, Any] = {}
    """As Kubernetes writes it."""
    priority_class: Name | None = None
    """A PriorityClass that exists."""


class SpreadPlacement(Placement):
    """On which nodes several equal Pods run."""

    spread: tuple[Spread, ...] = (Spread(),)


class Size(SpreadPlacement):
    """What a Pod is given, as request and as limit."""

    cpu: Annotated[int, Field(ge=1)]
    memory: Quantity
    gpus: Annotated[int, Field(ge=0)] = 0


class Head(Size):
    """The Pod of Ray's head."""

    evictable: bool = True
    """Whether a drain may move it. If not, a drain waits until somebody deletes the Pod."""


class Workers(Size):
    """A group of equal Pods that hold replicas."""

    name: Name
    least: Annotated[int, Field(ge=0)]
    most: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.least > self.most:
            raise ValueError(f"least ({self.least}) is more than most ({self.most})")
        return self


class Volume(_Part):
    """Where SQLite and a folder of files are kept."""

    size: Quantity = "50Gi"
    storage_class: str | None = None
    """Unset: that of the cluster. With several nodes one that all of them can write to."""


class Gateway(_Part):
    """A Gateway that exists."""

    name: Name
    namespace: Name
    listener: Name
    """Its HTTPS listener: nothing is answered without TLS."""


class Ingress(_Part):
    """How calls come into the cluster: by an Ingress, or by a Gateway."""

    host: str
    """The name of the service on the internet: `invoices.example.com`."""
    class_name: str = "nginx"
    tls_secret: str | None = None
    """The Secret with the certificate of the host, for an Ingress."""
    gateway: Gateway | None = None
    """Takes the calls in place of an Ingress."""
    namespace: Name = "ingress-nginx"
    """Where the controller's Pods run; nothing else from outside reaches HTTP."""
    annotations: dict[str, str] = {
        # What the service takes, and how long it may hold a call.
        "nginx.ingress.kubernetes.io/proxy-body-size": "24m",
        "nginx.ingress.kubernetes.io/proxy-read-timeout": "120",
    }

    @model_validator(mode="after")
    def _check_which(self) -> Self:
        if (self.tls_secret is None) == (self.gateway is None):
            raise ValueError("set either the tls_secret of an Ingress or a gateway")
        return self


class Redis(Placement):
    """Where the head keeps what must outlive it: one that there is (`address`), or one that is rendered (`image`)."""

    address: str | None = None
    """`redis.invoices.svc:6379`; `rediss://` for TLS."""
    image: Image | None = None
    """Of Redis or Valkey, with its digest: one Pod with a disk of its own."""
    volume: Volume = Volume(size="1Gi")
    """The disk of the rendered one."""
    has_password: bool = True
    """Whether the Secret has one, as `redis_password`."""

    @model_validator(mode="after")
    def _check_which(self) -> Self:
        if (self.address is None) == (self.image is None):
            raise ValueError("set either the address of a Redis or the image of a rendered one")
        if self.image and not self.has_password:
            raise ValueError("the rendered Redis needs a password: add redis_password to the Secret")
        return self


class Mail(Size):
    """`invoices mail`: Pods that take mail from the internet, or from a mail server in front."""

    pods: Annotated[int, Field(ge=1)] = 2
    way: Literal["smtp", "lmtp"] = "smtp"
    service: Literal["LoadBalancer", "NodePort", "ClusterIP"] = "LoadBalancer"
    tls_secret: str | None = None
    """The Secret with the certificate for STARTTLS; unset: mails come unencrypted."""
    port: Annotated[int, Field(ge=1, le=65535)] = 25
    """Where the Service takes them."""
    annotations: dict[str, str] = {}
    """Of the Service: what a cloud's load balancer needs to be told."""


class Watch(Size):
    """`invoices watch`: Pods that watch buckets and SFTP servers. They have no folder of a machine."""

    pods: Annotated[int, Field(ge=1)] = 2


class Backup(Size):
    """`invoices backup`, and a restore drill: a Pod at each time of a schedule."""

    place: Annotated[str, Field(pattern=r"^s3://[^?@\s]+(\?[^@\s]*)?$")]
    """Of the backups: `s3://bucket/prefix`. The `environment_secret` has the keys of the bucket."""
    schedule: Cron = "30 2 * * *"
    keep_daily: Annotated[int, Field(ge=1)] = 7
    keep_weekly: Annotated[int, Field(ge=1)] = 4
    keep_monthly: Annotated[int, Field(ge=1)] = 12
    """Of how many days, weeks and months the last backup stays."""
    drill: Cron | None = "30 4 * * 0"
    """When the last backup is restored for a test, beside the database; unset: never."""


class Values(_Part):
    """A deployment on Kubernetes. With SQLite it is one Pod, the head, which then also holds the replicas; with MongoDB
    the head holds none, and `workers` do."""

    name: Name = "invoices"
    namespace: Name = "invoices"
    image: Image
    """With its digest, so that all Pods run the same, whenever they start."""
    database: Literal["mongodb", "sqlite"] = "mongodb"
    files: Literal["gridfs", "s3", "folder"] = "gridfs"
    secret: Name = "invoices"  # noqa: S105 - its name
    """The Secret with `database_url`, `signing_key`, `encryption_key` and other secret settings, each under the name of
    the setting in lower case; also `files_url` with S3."""
    environment_secret: Name | None = None
    """A Secret whose entries become environment variables: `AWS_ACCESS_KEY_ID` and the like."""
    image_pull_secrets: tuple[Name, ...] = ()
    """Secrets with the passwords of registries."""
    service_account: Name | None = None
    """A ServiceAccount that exists, for Pods of the service; unset: the namespace's, and KubeRay's own for the head."""
    settings: dict[str, str] = {}
    """Other settings, by their environment variables (docs/reference/settings.md)."""
    head: Head
    workers: tuple[Workers, ...] = ()
    volume: Volume = Volume()
    ingress: Ingress
    redis: Redis | None = None
    mail: Mail | None = None
    """Unset: no mail is taken by SMTP or LMTP."""
    watch: Watch | None = None
    """Unset: no folder is watched."""
    backup: Backup | None = None
    """Unset: Kubernetes makes no backups."""
    monitoring_namespace: Name | None = "monitoring"
    """Where Prometheus runs; unset: nobody is told where the numbers are."""
    monitoring_labels: dict[str, str] = {}
    """By which Prometheus' operator selects monitors and rules, such as `release: prometheus`."""
    docs_url: Annotated[str, Field(pattern=r"^https?://.*[^/]$")] | None = None
    """Where the site of `make docs` is served; alarms link to its runbook. Unset: they have no link."""
    operator_namespace: Name = "kuberay-operator"
    """Where KubeRay runs, which talks to the head."""

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.database == "sqlite" and self.workers:
            raise ValueError("SQLite supports only one machine: remove workers, or use mongodb")
        if self.database == "sqlite" and self.mail:
            raise ValueError(
                "SQLite supports only one machine, but mail needs separate Pods: remove mail, or use mongodb"
            )
        if self.database == "sqlite" and self.watch:
            raise ValueError(
                "SQLite supports only one machine, but watch needs separate Pods: remove watch, or use mongodb"
            )
        if self.database == "sqlite" and self.backup:
            raise ValueError(
                "SQLite supports only one machine, but backup needs separate Pods: remove backup, or use mongodb"
            )
        if self.database == "sqlite" and self.files == "gridfs":
            raise ValueError("gridfs needs MongoDB; use folder or s3 for files")
        if self.database == "mongodb" and not sum(group.least for group in self.workers):
            raise ValueError("with mongodb the workers run the replicas: set at least one worker")
        return self

    @property
    def is_one_pod(self) -> bool:
        """Whether the head is all there is."""
        return not self.workers

    @property
    def needs_volume(self) -> bool:
        """Whether there is anything on a disk that must stay."""
        return self.database == "sqlite" or self.files == "folder"

    def nodes(self, *, with_gpu: bool = False) -> int:
        """How many Pods can hold replicas, at most."""
        return sum(group.most for group in self.workers if group.gpus or not with_gpu) or 1

    @property
    def has_gpus(self) -> bool:
        """Whether there is a GPU for the models."""
        return any(size.gpus for size in (self.head, *self.workers))
