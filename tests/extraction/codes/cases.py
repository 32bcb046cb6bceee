"""Codes and what they say, by the standard that each follows. Companies, people and numbers are invented."""

import json
from base64 import b64encode, urlsafe_b64encode
from datetime import date
from decimal import Decimal
from urllib.parse import quote

from serve_app.domain.code_kinds import CodeKind
from serve_app.domain.invoice_data import InvoiceData


def lines(*parts: str) -> str:
    return "\n".join(parts)


def jwt(inner: object) -> str:
    body = urlsafe_b64encode(json.dumps({"data": json.dumps(inner), "iss": "NIC"}).encode()).decode().rstrip("=")
    return f"eyJhbGciOiJSUzI1NiJ9.{body}.c2lnbmF0dXJl"


def tlv(*values: str) -> str:
    encoded = [value.encode() for value in values]
    whole = b"".join(bytes([tag, len(value)]) + value for tag, value in enumerate(encoded, 1))
    return b64encode(whole).decode()


SWISS = lines(
    *(
        "SPC",
        "0200",
        "1",
        "CH4431999123000889012",
        "S",
        "Muster Werkzeug AG",
        "Seestrasse",
        "12",
        "8000",
        "Zürich",
        "CH",
    ),
    *("", "", "", "", "", "", "", "1949.75", "CHF", "S", "Pia Beispiel", "Ring", "1", "9400", "Rorschach", "CH"),
    *("QRR", "210000000003139471430009017", "Auftrag 17", "EPD"),
    "//S1/10/R\\/2024-17/11/240305/30/106017086/32/7.7/40/0:30",
)


ARGENTINE = {
    **{"ver": 1, "fecha": "2024-03-05", "cuit": 30700000007, "ptoVta": 10, "tipoCmp": 1, "nroCmp": 94},
    **{"importe": 12100.5, "moneda": "DOL", "ctz": 65, "tipoDocRec": 80, "nroDocRec": 20000000001, "codAut": 7},
}


SERBIAN = (
    b"\x03" + b"ABCDEFGH" + b"IJKLMNOP" + (917).to_bytes(4, "little") + (900).to_bytes(4, "little")
    + (12345600).to_bytes(8, "little") + (1709640000000).to_bytes(8, "big") + bytes(40)
)  # fmt: skip


CASES = [
    (
        CodeKind.SWISS_QR_BILL,
        SWISS,
        InvoiceData(
            "Swiss QR-bill",
            seller="Muster Werkzeug AG",
            number="R/2024-17",
            issued_at=date(2024, 3, 5),
            currency="CHF",
            amount=Decimal("1949.75"),
            vat_ids=("CHE106017086",),
            ibans=("CH4431999123000889012",),
            reference="210000000003139471430009017",
        ),
    ),
    (
        CodeKind.EPC,
        lines("BCD", "002", "1", "SCT", "", "Akme GmbH", "DE88 2008 0000 0970 3757 00", "EUR59.5", "", "", "RE 17"),
        InvoiceData(
            "EPC payment code",
            seller="Akme GmbH",
            currency="EUR",
            amount=Decimal("59.5"),
            ibans=("DE88200800000970375700",),
            reference="RE 17",
        ),
    ),
    (
        CodeKind.SPAYD,
        "SPD*1.0*ACC:CZ5855000000001265098001+RZBCCZPP*AM:480.50*CC:CZK*DT:20240319*X-VS:2024017*X-INV:"
        + quote("SID*1.0*ID:FV2024017*DD:20240305*AM:480.50*T0:83.39*VII:CZ12345678"),
        InvoiceData(
            "Short Payment Descriptor",
            number="FV2024017",
            issued_at=date(2024, 3, 5),
            due_at=date(2024, 3, 19),
            currency="CZK",
            amount=Decimal("480.5"),
            tax=Decimal("83.39"),
            vat_ids=("CZ12345678",),
            ibans=("CZ5855000000001265098001",),
            reference="2024017",
        ),
    ),
    (
        CodeKind.UPI,
        "upi://pay?pa=akme@bank&pn=Akme%20Tools&am=590.00&cu=INR&tr=INV17",
        InvoiceData("UPI", seller="Akme Tools", currency="INR", amount=Decimal(590), reference="INV17"),
    ),
    (
        CodeKind.HUB3,
        lines(
            *("HRVHUB30", "EUR", "000000000012355", "Pero Kupac", "Ulica 1", "10000 Zagreb", "Alat d.o.o.", "Put 2"),
            *("21000 Split", "HR1210010051863000160", "HR01", "7269-68949637676-00019", "COST", "Racun 17"),
        ),
        InvoiceData(
            "HUB 3",
            seller="Alat d.o.o.",
            currency="EUR",
            amount=Decimal("123.55"),
            ibans=("HR1210010051863000160",),
            reference="HR01 7269-68949637676-00019",
        ),
    ),
    (
        CodeKind.UPN,
        lines(
            *("UPNQR", "", "", "", "", "Janez Kupec", "Pot 1", "1000 Ljubljana", "00000012355", "", "", "COST"),
            *("Račun 17", "19.03.2024", "SI56020360253863406", "SI0017", "Orodje d.o.o.", "Cesta 2", "2000 Maribor"),
        ),
        InvoiceData(
            "UPN QR",
            seller="Orodje d.o.o.",
            due_at=date(2024, 3, 19),
            currency="EUR",
            amount=Decimal("123.55"),
            ibans=("SI56020360253863406",),
            reference="SI0017",
        ),
    ),
    (
        CodeKind.PL_TRANSFER,
        "1234567890|PL|92124012340001567890123456|012355|Narzedzia sp. z o.o.|FV 17/2024|||",
        InvoiceData(
            "Polish transfer code",
            seller="Narzedzia sp. z o.o.",
            currency="PLN",
            amount=Decimal("123.55"),
            vat_ids=("1234567890",),
            ibans=("PL92124012340001567890123456",),
            reference="FV 17/2024",
        ),
    ),
    (
        CodeKind.ZATCA,
        tlv("شركة الأدوات", "310122393500003", "2024-03-05T12:10:00Z", "115.00", "15.00"),
        InvoiceData(
            "ZATCA",
            seller="شركة الأدوات",
            issued_at=date(2024, 3, 5),
            currency="SAR",
            amount=Decimal(115),
            tax=Decimal(15),
            vat_ids=("310122393500003",),
        ),
    ),
    (
        CodeKind.ATCUD,
        "A:123456789*B:999999990*C:PT*D:FT*E:N*F:20240305*G:FT A/17*H:CSDF7T5H-17*I1:PT*I7:100.00*I8:23.00*"
        "N:23.00*O:123.00*Q:0i7K*R:9999",
        InvoiceData(
            "Portuguese QR code (ATCUD)",
            number="FT A/17",
            issued_at=date(2024, 3, 5),
            amount=Decimal(123),
            tax=Decimal(23),
            vat_ids=("123456789",),
            reference="CSDF7T5H-17",
        ),
    ),
    (
        CodeKind.IRN,
        jwt(
            {
                **{"SellerGstin": "29AABCT1332L000", "BuyerGstin": "27AABCU9603R1ZX", "DocNo": "INV/17"},
                **{"DocDt": "05/03/2024", "TotInvVal": 118.5, "Irn": "a5c1"},
            }
        ),
        InvoiceData(
            "Indian e-invoice (IRN)",
            number="INV/17",
            issued_at=date(2024, 3, 5),
            currency="INR",
            amount=Decimal("118.5"),
            vat_ids=("29AABCT1332L000", "27AABCU9603R1ZX"),
            reference="a5c1",
        ),
    ),
    (
        CodeKind.TR_EINVOICE,
        # The last comma and the missing quotation marks are as printed by widespread programs.
        '{"vkntckn":"1234567803", avkntckn:"9876543210","tarih":"2024-03-05","no":"ABC2024000000017",'
        '"parabirimi":"TL","hesaplanankdv(20)":"20.00","vergidahil":"120.00","odenecek":"120.00",}',
        InvoiceData(
            "Turkish e-invoice",
            number="ABC2024000000017",
            issued_at=date(2024, 3, 5),
            currency="TRY",
            amount=Decimal(120),
            tax=Decimal(20),
            vat_ids=("1234567803", "9876543210"),
        ),
    ),
    (
        CodeKind.KSEF,
        "https://qr.ksef.mf.gov.pl/invoice/1234567890/05-03-2024/UtQp9Gpc51y-u3xApZjIjgkpZ01js-J8KflSPW8WzIE",
        InvoiceData("KSeF", issued_at=date(2024, 3, 5), vat_ids=("1234567890",)),
    ),
    (
        CodeKind.VERIFACTU,
        "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=89890001K&numserie=2024%2F17"
        "&fecha=05-03-2024&importe=241.4",
        InvoiceData(
            "VERI*FACTU",
            number="2024/17",
            issued_at=date(2024, 3, 5),
            currency="EUR",
            amount=Decimal("241.4"),
            vat_ids=("89890001K",),
        ),
    ),
    (
        CodeKind.TICKETBAI,
        "https://tbai.egoitza.gipuzkoa.eus/qr/?id=TBAI-00000006Y-050324-btFpwP8dcLGAF-237&s=T&nf=27174&i=4.70&cr=007",
        InvoiceData(
            "TicketBAI",
            number="T-27174",
            issued_at=date(2024, 3, 5),
            currency="EUR",
            amount=Decimal("4.7"),
            vat_ids=("00000006Y",),
            reference="TBAI-00000006Y-050324-btFpwP8dcLGAF-237",
        ),
    ),
    (
        CodeKind.DIAN,
        lines(
            *("NumFac: SETP17", "FecFac: 2024-03-05", "HorFac: 09:15:23-05:00", "NitFac: 700085371"),
            *("DocAdq: 800199436", "ValFac: 100.00", "ValIva: 19.00", "ValOtroIm: 0.00", "ValTolFac: 119.00"),
        ),
        InvoiceData(
            "Colombian e-invoice (DIAN)",
            number="SETP17",
            issued_at=date(2024, 3, 5),
            currency="COP",
            amount=Decimal(119),
            tax=Decimal(19),
            vat_ids=("700085371", "800199436"),
        ),
    ),
    (
        CodeKind.AFIP,
        "https://www.afip.gob.ar/fe/qr/?p=" + b64encode(json.dumps(ARGENTINE).encode()).decode(),
        InvoiceData(
            "Argentine e-invoice (ARCA)",
            number="00010-00000094",
            issued_at=date(2024, 3, 5),
            currency="USD",
            amount=Decimal("12100.5"),
            vat_ids=("30700000007", "20000000001"),
            reference="7",
        ),
    ),
    (
        CodeKind.CFDI,
        "https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?id=ad662d33-6934-459c-a128-bdf0393e0f44"
        "&re=AAA010101AAA&rr=BBB010101BB1&tt=0000001160.500000&fe=rH8%2BLw%3D%3D",
        InvoiceData(
            "CFDI",
            amount=Decimal("1160.5"),
            vat_ids=("AAA010101AAA", "BBB010101BB1"),
            reference="ad662d33-6934-459c-a128-bdf0393e0f44",
        ),
    ),
    (
        CodeKind.SUNAT,
        "20100000001|01|F001|17|18.00|118.00|2024-03-05|6|20200000002|k4jD=|",
        InvoiceData(
            "Peruvian e-invoice (SUNAT)",
            number="F001-17",
            issued_at=date(2024, 3, 5),
            amount=Decimal(118),
            tax=Decimal(18),
            vat_ids=("20100000001", "20200000002"),
        ),
    ),
    (CodeKind.MYDATA, "https://mydatapi.aade.gr/myDATA/TimologioQR/QRInfo?q=abc", InvoiceData("myDATA")),
    (
        CodeKind.RKSV,
        "_R1-AT1_KASSE-1_366587_2024-03-05T11:23:43_10,00_5,50_0,00_0,00_1,00_ok==_1f2e_p==_s==",
        InvoiceData(
            "Austrian till (RKSV)",
            issued_at=date(2024, 3, 5),
            currency="EUR",
            amount=Decimal("16.5"),
            reference="366587",
        ),
    ),
    (
        CodeKind.KASSENSICHV,
        "V0;955002-00;Kassenbeleg-V1;Beleg^75.33_7.99_0.00_0.00_0.00^83.32:Bar;18;112;2024-03-05T18:41:04.000Z;"
        "2024-03-05T18:41:09.000Z;ecdsa-plain-SHA256;unixTime;c2ln;a2V5",
        InvoiceData(
            "German till (KassenSichV)",
            issued_at=date(2024, 3, 5),
            currency="EUR",
            amount=Decimal("83.32"),
            reference="112",
        ),
    ),
    (
        CodeKind.SUF,
        "https://suf.purs.gov.rs/v/?vl=" + quote(b64encode(SERBIAN).decode()),
        InvoiceData(
            "Serbian fiscal receipt",
            number="ABCDEFGH-IJKLMNOP-917",
            issued_at=date(2024, 3, 5),
            currency="RSD",
            amount=Decimal("1234.56"),
        ),
    ),
    (
        CodeKind.NFE,
        "http://www.fazenda.pr.gov.br/nfce/qrcode?p=41240312345678000190650010000012341000012348|2|1|05|118.50|6e4f|1|AB",
        InvoiceData(
            "Brazilian e-invoice (NF-e)",
            number="1234",
            currency="BRL",
            amount=Decimal("118.5"),
            vat_ids=("12345678000190",),
            reference="41240312345678000190650010000012341000012348",
        ),
    ),
]
