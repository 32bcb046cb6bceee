"""Accounts, their keys, usage and plans as the API of operators takes and answers them."""

from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from serve_app.domain import account as domain
from serve_app.domain.account import AccountLimits, ApiKey, LimitValue, Scope
from serve_app.domain.budget import CENT, MAX_BUDGET, in_cents
from serve_app.domain.resource import Number as Money
from serve_app.domain.resource import Resource
from serve_app.http.bodies import Body, exact_number
from serve_app.services.accounts.changes import AccountAmendment
from serve_app.services.accounts.service import MAX_KEY_NAME_LENGTH, MAX_LIMIT
from serve_app.services.accounts.usage import MonthUsage


def _in_cents(value: object) -> Decimal | None:
    return None if value is None else exact_number(value, places=2)


PlanName = Annotated[str, Field(min_length=1, max_length=40, examples=["pro"])]
Address = Annotated[str, Field(min_length=3, max_length=254, examples=["owner@example.com"])]
Number = Annotated[int, Field(ge=1, le=MAX_LIMIT, examples=[500])]
Budget = Annotated[
    Decimal,
    Field(ge=CENT, le=MAX_BUDGET, examples=[40.0]),
    BeforeValidator(_in_cents),
    WithJsonSchema({"type": "number", "minimum": float(CENT), "maximum": float(MAX_BUDGET)}),
]
Megabytes = Annotated[int, Field(ge=1, le=15, examples=[5])]


class LimitsBody(Body):
    """Limits to set; those that are omitted stay as they are."""

    documents_per_month: Number | None = None
    """Documents in a calendar month (UTC); null: as the plan says."""
    requests_per_minute: Number | None = None
    """Requests of each key in a minute; null: as the plan or the settings say."""
    running: Number | None = None
    """Documents in progress at once; null: as the plan or the settings say."""
    file_mb: Megabytes | None = None
    """Megabytes of the largest file; null: as the plan or the settings say."""
    budget_per_month: Budget | None = None
    """What the readings of a calendar month (UTC) may cost, in the deployment's currency, rounded to two
    decimals; null: as the plan says."""

    @property
    def changes(self) -> dict[str, LimitValue]:
        """Those that are given."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class NewAccountBody(Body):
    """An account to create."""

    plan: PlanName = "free"
    """The name of its plan."""
    email: Address | None = None
    """The owner's address, for notices."""
    limits: Annotated[LimitsBody, Field(default_factory=LimitsBody)]
    """Limits of its own, in place of its plan's."""


class AmendAccountBody(Body):
    """The changes; at least one property. Repeating them changes nothing."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    plan: PlanName | None = None
    """The name of its new plan. This month's use still counts. Null: unchanged."""
    email: Address | None = None
    """The owner's new address. Null: unchanged."""
    limits: LimitsBody | None = None
    """Limits of its own. Null: unchanged."""
    suspended: bool | None = None
    """True refuses whatever its keys and people ask for; false resumes the account. Null: unchanged."""

    @model_validator(mode="after")
    def _has_something(self) -> "AmendAccountBody":
        if not self.model_fields_set:
            raise ValueError("send at least one of `plan`, `email`, `limits` and `suspended`")
        return self

    def amendment(self) -> AccountAmendment:
        """The same change for the service."""
        return AccountAmendment(self.plan, self.email, self.limits.changes if self.limits else {}, self.suspended)


class NewKeyBody(Body):
    """An API key to create."""

    name: Annotated[str, Field(min_length=1, max_length=MAX_KEY_NAME_LENGTH, examples=["ERP"])]
    """The program that uses it."""
    scope: Annotated[Scope, Field(strict=False, examples=["full"])] = Scope.FULL
    """`full` allows everything, `read` all GET endpoints."""
    livemode: Annotated[bool, Field(examples=[True])] = True
    """False: a key of test mode."""


class OperatorLimits(Resource):
    """Limits of an account or a plan; null: none here."""

    documents_per_month: Annotated[int | None, Field(examples=[500])]
    """Documents in a calendar month (UTC)."""
    requests_per_minute: Annotated[int | None, Field(examples=[None])]
    """Requests of each key in a minute."""
    running: Annotated[int | None, Field(examples=[4])]
    """Documents in progress at once."""
    file_mb: Annotated[int | None, Field(examples=[None])]
    """Megabytes of the largest file."""
    budget_per_month: Annotated[Money | None, Field(examples=[40.0])]
    """What the readings of a calendar month (UTC) may cost, in the deployment's currency."""

    @classmethod
    def of(cls, limits: AccountLimits) -> "OperatorLimits":
        """These limits."""
        return cls(**asdict(limits))


class OperatorAccount(Resource):
    """An account of the deployment."""

    id: Annotated[UUID, Field(examples=["019e2f3a-8e4f-7071-9283-a4b5c6d7e8f9"])]
    """The account's id, the `user_id` of `GET /v1/me`."""
    object: Annotated[Literal["account"], Field(examples=["account"])] = "account"
    """The kind of resource."""
    plan: Annotated[str, Field(examples=["pro"])]
    """The name of its plan."""
    email: Annotated[str | None, Field(examples=["owner@example.com"])]
    """The owner's address, for notices."""
    limits: OperatorLimits
    """Limits of its own."""
    limits_in_force: OperatorLimits
    """Its own limits over those of its plan; null: no limit of documents or money, or what the settings say."""
    suspended_at: Annotated[datetime | None, Field(examples=[None])]
    """Since when the account is suspended; null: it is not."""
    created_at: Annotated[datetime, Field(examples=["2026-05-17T12:00:05Z"])]
    """When it was created."""

    @classmethod
    def of(cls, account: domain.Account) -> "OperatorAccount":
        """This account."""
        return cls(
            id=account.id,
            plan=account.plan.name,
            email=account.email,
            limits=OperatorLimits.of(account.limits),
            limits_in_force=OperatorLimits.of(account.allowed),
            suspended_at=account.suspended_at,
            created_at=account.created_at,
        )


class OperatorApiKey(Resource):
    """An API key of an account."""

    id: Annotated[UUID, Field(examples=["019e2f3a-8e4f-7071-9283-a4b5c6d7e8f9"])]
    """The key's id."""
    object: Annotated[Literal["api_key"], Field(examples=["api_key"])] = "api_key"
    """The kind of resource."""
    name: Annotated[str, Field(examples=["ERP"])]
    """The program that uses it."""
    prefix: Annotated[str, Field(examples=["inv_live_Ab12Cd"])]
    """How the key begins."""
    scope: Annotated[Scope, Field(examples=["full"])]
    """`full` or `read`."""
    created_at: Annotated[datetime, Field(examples=["2026-05-17T12:00:05Z"])]
    """When it was created."""
    revoked_at: Annotated[datetime | None, Field(examples=[None])]
    """From when on it is refused; null: it is valid."""

    @classmethod
    def of(cls, key: ApiKey) -> "OperatorApiKey":
        """This key, without anything secret."""
        return cls(**_fields_of(key))


class OperatorApiKeyWithSecret(OperatorApiKey):
    """A new API key with its raw form, which no other response contains."""

    key: Annotated[str, Field(examples=["inv_live_Ab12Cd..."])]
    """The raw key. Store it: no later response contains it."""

    @classmethod
    def with_raw(cls, key: ApiKey, raw: str) -> "OperatorApiKeyWithSecret":
        """This key and its raw form."""
        return cls(**_fields_of(key), key=raw)


def _fields_of(key: ApiKey) -> dict[str, object]:
    return {name: getattr(key, name) for name in ("id", "name", "prefix", "scope", "created_at", "revoked_at")}


class OperatorUsage(Resource):
    """What an account used in a calendar month (UTC)."""

    object: Annotated[Literal["usage"], Field(examples=["usage"])] = "usage"
    """The kind of resource."""
    account: Annotated[UUID, Field(examples=["019e2f3a-8e4f-7071-9283-a4b5c6d7e8f9"])]
    """The account's id."""
    month: Annotated[str, Field(examples=["2026-05"])]
    """The month."""
    documents: Annotated[int, Field(examples=[120])]
    """What counts towards the plan."""
    pages: Annotated[int, Field(examples=[180])]
    """Pages of the readings that ended in this month."""
    ocr_pages: Annotated[int, Field(examples=[40])]
    """Those that were read by OCR."""
    cpu_seconds: Annotated[float, Field(examples=[95.5])]
    """Processor time of these readings."""
    gpu_seconds: Annotated[float, Field(examples=[0.0])]
    """Time for which their models had a GPU."""
    cost: Annotated[Money, Field(examples=[1.8])]
    """What these readings cost at the present prices of the deployment, rounded down to two decimals."""
    currency: Annotated[str, Field(examples=["EUR"])]
    """The currency, by its code in ISO 4217."""

    @classmethod
    def of(cls, account_id: UUID, used: MonthUsage, currency: str) -> "OperatorUsage":
        """This month of an account."""
        read = used.readings
        return cls(
            account=account_id,
            month=f"{used.month:%Y-%m}",
            documents=used.documents,
            pages=read.pages,
            ocr_pages=read.ocr_pages,
            cpu_seconds=read.cpu_ms / 1000,
            gpu_seconds=read.gpu_ms / 1000,
            cost=in_cents(used.cost),
            currency=currency,
        )


class OperatorPlan(Resource):
    """A plan: limits that several accounts share."""

    object: Annotated[Literal["plan"], Field(examples=["plan"])] = "plan"
    """The kind of resource."""
    name: Annotated[str, Field(examples=["trial"])]
    """Its name."""
    limits: OperatorLimits
    """Its limits; null: no limit of documents or money, or what the settings say."""

    @classmethod
    def of(cls, plan: domain.Plan) -> "OperatorPlan":
        """This plan."""
        return cls(name=plan.name, limits=OperatorLimits.of(plan.limits))


class OperatorAccountList(Resource):
    """Accounts, newest first."""

    object: Annotated[Literal["list"], Field(examples=["list"])] = "list"
    """The kind of answer."""
    data: list[OperatorAccount]
    """The accounts."""
    has_more: Annotated[bool, Field(examples=[False])]
    """Whether more follow."""


class OperatorApiKeyList(Resource):
    """All API keys of an account, newest first, including revoked ones and those of test mode."""

    object: Annotated[Literal["list"], Field(examples=["list"])] = "list"
    """The kind of answer."""
    data: list[OperatorApiKey]
    """The keys."""
    has_more: Annotated[Literal[False], Field(examples=[False])] = False
    """Always false."""


class OperatorUsageList(Resource):
    """Usage by account, newest account first, and month."""

    object: Annotated[Literal["list"], Field(examples=["list"])] = "list"
    """The kind of answer."""
    data: list[OperatorUsage]
    """The months, oldest first, of each account."""
    has_more: Annotated[bool, Field(examples=[False])]
    """Whether more accounts follow."""


class OperatorPlanList(Resource):
    """All plans: the contract's, then those of operators by name."""

    object: Annotated[Literal["list"], Field(examples=["list"])] = "list"
    """The kind of answer."""
    data: list[OperatorPlan]
    """The plans."""
    has_more: Annotated[Literal[False], Field(examples=[False])] = False
    """Always false."""
