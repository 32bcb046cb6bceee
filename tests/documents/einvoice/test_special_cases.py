"""Discounts, contributions, corrections, factoring and damaged names, as portals and suppliers write them."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from serve_app.documents.einvoice import parse_einvoice
from serve_app.documents.einvoice.write import write_einvoice
from serve_app.domain.einvoice import Account, Adjustment, EInvoice, Identifier, Party, PrecedingInvoice
from serve_app.domain.einvoice_order import EInvoiceFormat, EInvoiceOrder
from serve_app.domain.errors import DocumentError
from tests.documents.einvoice import samples
from tests.documents.einvoice.hybrid import first_zugferd
from tests.documents.einvoice.records import full_record

ORDERS = [EInvoiceOrder(EInvoiceFormat.UBL), EInvoiceOrder(EInvoiceFormat.CII)]


def fatturapa(old: str, new: str) -> EInvoice:
    return parse_einvoice(samples.fatturapa().replace(old.encode(), new.encode()))


def ksef(old: str, new: str, kind: str = "VAT") -> EInvoice:
    return parse_einvoice(samples.ksef(kind=kind).replace(old.encode(), new.encode()))


class TestNamespaces:
    def test_a_name_that_is_no_uri_is_accepted(self) -> None:
        quoted = (
            samples.fatturapa().replace(b"<p:", b"<p:", 1).replace(b" versione", b" xmlns:d='http://a#\"' versione")
        )
        blank = samples.fatturapa().replace(b"agenziaentrate.gov.it/docs", b"agenziaentrate.gov.it/ docs")
        assert parse_einvoice(quoted).number == parse_einvoice(blank).number == "118/A"

    def test_other_damage_beside_it_is_a_failure(self) -> None:
        blank = samples.fatturapa().replace(b"agenziaentrate.gov.it/docs", b"agenziaentrate.gov.it/ docs")
        with pytest.raises(DocumentError):
            parse_einvoice(blank[:-40])


class TestFatturaPa:
    def test_discounts_of_a_line_are_for_one_piece_and_follow_each_other(self) -> None:
        discounts = (
            "<ScontoMaggiorazione><Tipo>SC</Tipo><Percentuale>10.00</Percentuale></ScontoMaggiorazione>"
            "<ScontoMaggiorazione><Tipo>MG</Tipo><Importo>1.50</Importo></ScontoMaggiorazione>"
            "<ScontoMaggiorazione><Tipo>SC</Tipo><Percentuale>50.00</Percentuale></ScontoMaggiorazione>"
        )
        (line,) = fatturapa("<PrezzoTotale>", f"{discounts}<PrezzoTotale>").lines
        amounts = [(each.is_charge, each.amount) for each in line.adjustments]
        assert amounts == [(False, Decimal("100.00")), (True, Decimal("15.00")), (False, Decimal("457.50"))]

    def test_a_contribution_to_a_pension_fund_is_a_charge(self) -> None:
        fund = (
            "<DatiCassaPrevidenziale><TipoCassa>TC02</TipoCassa><AlCassa>4.00</AlCassa>"
            "<ImportoContributoCassa>40.00</ImportoContributoCassa><ImponibileCassa>1000.00</ImponibileCassa>"
            "<AliquotaIVA>22.00</AliquotaIVA></DatiCassaPrevidenziale>"
        )
        assert fatturapa("<ImportoTotaleDocumento>", f"{fund}<ImportoTotaleDocumento>").adjustments == (
            Adjustment(
                True, Decimal("40.00"), Decimal("1000.00"), Decimal("4.00"), "S", Decimal("22.00"),
                "Cassa previdenziale TC02",
            ),
        )  # fmt: skip

    def test_an_invoice_that_the_buyer_issued_is_self_billed(self) -> None:
        issuer = "<SoggettoEmittente>CC</SoggettoEmittente></FatturaElettronicaHeader>"
        assert fatturapa("</FatturaElettronicaHeader>", issuer).type_code == "389"

    def test_a_total_of_zero_is_stated(self) -> None:
        stated = fatturapa("<ImportoTotaleDocumento>1220.00", "<ImportoTotaleDocumento>0.00")
        assert stated.totals.gross == Decimal("0.00")


class TestSimplifiedFatturaPa:
    found = parse_einvoice(samples.fatturapa_simplified())

    def test_parties_are_read_from_their_other_places(self) -> None:
        seller, buyer = self.found.seller, self.found.buyer
        assert (seller.name, seller.vat_id, seller.tax_number) == ("Mara Rossetti", "IT01234567890", "RSSMRA80A01H501U")
        assert (buyer.name, buyer.vat_id) == ("Vetreria Alpina S.r.l.", "IT09876543210")
        assert [party.address and party.address.city for party in (seller, buyer)] == ["Torino", "Torino"]

    def test_amounts_include_tax(self) -> None:
        totals = self.found.totals
        assert (totals.net, totals.tax, totals.gross) == (Decimal("102.00"), Decimal("10.00"), Decimal("112.00"))
        assert [(each.base, each.tax, each.exemption_code) for each in self.found.vat] == [
            (Decimal("100.00"), Decimal("10.00"), None),
            (Decimal("2.00"), Decimal("0.00"), "N1"),
        ]
        assert [(line.name, line.net) for line in self.found.lines] == [
            ("Pranzo", Decimal("110.00")),
            ("Marca da bollo", Decimal("2.00")),
        ]

    def test_a_tax_of_which_only_the_rate_is_stated_is_unknown(self) -> None:
        rate = b"<Aliquota>10.00</Aliquota>"
        found = parse_einvoice(samples.fatturapa_simplified().replace(b"<Imposta>10.00</Imposta>", rate))
        assert (found.totals.net, found.totals.tax, found.totals.gross) == (None, None, Decimal("112.00"))

    def test_a_correction_names_the_invoice(self) -> None:
        assert (self.found.profile, self.found.number, self.found.is_credit_note) == ("FatturaPA FSM10", "7/S", True)
        assert self.found.preceding == (PrecedingInvoice("3/S", date(2026, 2, 1)),)
        assert self.found.notes == ("Prezzo del pranzo",)


class TestKsef:
    def test_a_line_as_it_was_before_a_correction_counts_negatively(self) -> None:
        first = ksef("<P_12>23</P_12>", "<P_12>23</P_12><StanPrzed>1</StanPrzed>", kind="KOR").lines[0]
        assert (first.quantity, first.price, first.net) == (Decimal(-90), Decimal("10.00"), Decimal("-900.00"))

    def test_prices_with_tax_are_read_where_no_others_are_given(self) -> None:
        data = samples.ksef().replace(b"P_9A>", b"P_9B>").replace(b"P_11>", b"P_11A>")
        first = parse_einvoice(data).lines[0]
        assert (first.price, first.net) == (Decimal("10.00"), Decimal("900.00"))

    @pytest.mark.parametrize("stated", ["1.00", "90.00"], ids=["of one piece", "of the line"])
    def test_a_discount_is_that_of_the_line(self, stated: str) -> None:
        line = "<P_9A>10.00</P_9A>\n      <P_11>900.00"
        (first, _) = ksef(line, f"<P_9A>10.00</P_9A><P_10>{stated}</P_10><P_11>810.00").lines
        assert first.adjustments == (Adjustment(is_charge=False, amount=Decimal("90.00")),)

    @pytest.mark.parametrize(
        ("rate", "category", "percent"),
        [("23", "S", 23), ("0 WDT", "K", 0), ("zw", "E", 0), ("oo", "AE", 0), ("np II", "O", None)],
    )
    def test_rates_in_words_are_categories(self, rate: str, category: str, percent: int | None) -> None:
        first = ksef("<P_12>23</P_12>", f"<P_12>{rate}</P_12>").lines[0]
        assert (first.vat_category, first.vat_rate) == (category, percent)

    def test_the_account_of_a_factor_takes_the_place_of_the_sellers(self) -> None:
        factor = (
            "<Podmiot3><DaneIdentyfikacyjne><NIP>1070000059</NIP><Nazwa>Faktor Mewa S.A.</Nazwa></DaneIdentyfikacyjne>"
            "<Rola>1</Rola></Podmiot3><Fa>"
        )
        account = "<RachunekBankowyFaktora><NrRB>27114020040000300201355387</NrRB></RachunekBankowyFaktora>"
        data = (
            samples.ksef().replace(b"<Fa>", factor.encode()).replace(b"</Platnosc>", f"{account}</Platnosc>".encode())
        )
        found = parse_einvoice(data)
        assert found.payee is not None
        assert found.payee.name == "Faktor Mewa S.A."
        assert found.payment.accounts == (Account("27114020040000300201355387"),)

    def test_a_paid_invoice_has_nothing_due(self) -> None:
        totals = ksef("<Platnosc>", "<Platnosc><Zaplacono>1</Zaplacono>").totals
        assert (totals.paid, totals.due) == (Decimal("1230.00"), Decimal("0.00"))
        part = "<ZaplataCzesciowa><KwotaZaplatyCzesciowej>230.00</KwotaZaplatyCzesciowej></ZaplataCzesciowa>"
        totals = ksef("<Platnosc>", f"<Platnosc>{part}").totals
        assert (totals.paid, totals.due) == (Decimal("230.00"), Decimal("1000.00"))

    def test_tax_in_zloty_is_that_of_accounting(self) -> None:
        found = ksef("<P_15>", "<P_14_1W>890.10</P_14_1W><P_15>")
        assert (found.tax_currency, found.totals.tax_in_accounting_currency) == ("PLN", Decimal("890.10"))


class TestFacturae:
    def test_an_assigned_invoice_is_paid_to_the_factor(self) -> None:
        assigned = b"""<FactoringAssignmentData><Assignee><TaxIdentification><TaxIdentificationNumber>A58818501
            </TaxIdentificationNumber></TaxIdentification><LegalEntity><CorporateName>Factor Ebro S.A.</CorporateName>
            </LegalEntity></Assignee><PaymentDetails><Installment><AccountToBeCredited><IBAN>ES7921000813610123456789
            </IBAN></AccountToBeCredited></Installment></PaymentDetails></FactoringAssignmentData></FileHeader>"""
        found = parse_einvoice(samples.facturae().replace(b"</FileHeader>", assigned))
        assert found.payee is not None
        assert found.payee.name == "Factor Ebro S.A."
        assert found.payment.accounts[0] == Account("ES7921000813610123456789")

    def test_countries_have_two_letters_and_rates_a_category(self) -> None:
        found = parse_einvoice(samples.facturae())
        assert found.seller.address is not None
        assert found.seller.address.country == "ES"
        assert [each.category for each in found.vat] == ["S"]


class TestCii:
    def test_a_line_of_text_is_a_note(self) -> None:
        line = b"""<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:IncludedNote>
            <ram:Content>As agreed by telephone</ram:Content></ram:IncludedNote></ram:AssociatedDocumentLineDocument>
            </ram:IncludedSupplyChainTradeLineItem></rsm:SpecifiedSupplyChainTradeTransaction>"""
        before = parse_einvoice(first_zugferd())
        found = parse_einvoice(first_zugferd().replace(b"</rsm:SpecifiedSupplyChainTradeTransaction>", line))
        assert found.lines == before.lines
        assert found.notes == (*before.notes, "As agreed by telephone")


class TestWritten:
    @pytest.mark.parametrize("order", ORDERS, ids=["UBL", "CII"])
    def test_what_only_sellers_have_is_left_out_of_buyers(self, order: EInvoiceOrder) -> None:
        numbers = (Identifier("K-77"), Identifier("4012345000023", "0088"), Identifier("X-1", "OWN"))
        buyer = replace(full_record().buyer, identifiers=numbers, tax_number="26/555/12345")
        made = write_einvoice(b"", replace(full_record(), buyer=buyer), order)
        assert made.validation is not None
        assert made.validation.findings == ()
        assert parse_einvoice(made.data).buyer == replace(buyer, identifiers=numbers[1:2], tax_number=None)

    @pytest.mark.parametrize("order", ORDERS, ids=["UBL", "CII"])
    def test_two_accounts_a_discount_and_a_list_that_is_not_known_are_valid(self, order: EInvoiceOrder) -> None:
        record = full_record()
        seller = replace(record.seller, registration=Identifier("TO 4711", "REA"))
        accounts = (*record.payment.accounts, Account("DE88200800000970375700"))
        first = replace(record.lines[0], gross_price=None)
        record = replace(
            record,
            seller=seller,
            tax_currency="EUR",
            payment=replace(record.payment, accounts=accounts),
            lines=(first, *record.lines[1:]),
        )
        made = write_einvoice(b"", record, order)
        assert made.validation is not None
        assert made.validation.findings == ()
        found = parse_einvoice(made.data)
        assert found.payment == record.payment
        assert found.lines == full_record().lines
        assert found.seller.registration == Identifier("TO 4711")

    @pytest.mark.parametrize("order", ORDERS, ids=["UBL", "CII"])
    def test_an_empty_payee_is_left_out(self, order: EInvoiceOrder) -> None:
        payment = replace(full_record().payment, creditor_id="DE98ZZZ09999999999")
        made = write_einvoice(b"", replace(full_record(), payee=Party(), payment=payment), order)
        assert made.validation is not None
        assert made.validation.findings == ()
        assert parse_einvoice(made.data).payee is None

    def test_terms_of_a_representative_and_an_account_are_named(self) -> None:
        representative = Party(name="Fisc Rep SAS")
        payment = replace(full_record().payment, accounts=())
        record = replace(full_record(), tax_representative=representative, payment=payment, due_at=date(2026, 4, 1))
        assert write_einvoice(b"", record, ORDERS[0]).missing == (
            "BT-63 Seller tax representative VAT identifier",
            "BT-69 Tax representative country code",
            "BT-84 Payment account identifier",
        )
