"""Titles of documents, in the languages of Europe and of large parts of Asia."""

import re


def _words(*groups: str) -> str:
    return "|".join("|".join(group.split(", ")) for group in groups).replace(" ", r"\s+")


_INVOICE = _words(
    "invoice, bill, receipt, credit note, credit memo, rechnung, gutschrift, quittung, kassenbon, beleg",
    "facture, avoir, re[çc]u, factura, recibo, fattura, ricevuta, nota di credito, factuur, kassabon, fatura, fi[şs]",
    "faktura, rachunek, paragon, [úu][čc]tenka, da[ňn]ov[ýy] doklad",
    "kvittering, kvitto, regning, r[äa]kning, lasku, kuitti, arve, r[ēe]ķins, s[ąa]skaita",
    "sz[áa]mla, nyugta, factur[ăa], chitan[țţt][ăa], bon fiscal, ra[čc]un",
    "nota fiscal, nfs-?e, danfe, boleta, comprobante, cfdi, tique, ticket de venta, nota de venta, parcella, scontrino",
    "honorarnote, kostennote, liquidation, note d.honoraires, factuurbon, faktur, kuitansi, struk, nota kontan, resit",
    "фактура, сч[её]т, рахунок-фактура, рахунок, касов бон, кассовый чек, товарный чек, чек, квитанц[ия]я, рачун",
    "τιμολ[όο]γιο, απ[όο]δειξη, חשבונית, קבלה, فاتورة, إيصال, h[óo]a đ[ơo]n",
)
# Languages that write words together.
_INVOICE_INSIDE = _words(
    "請求書, 領収書, 領収証, レシート, 納税請求書, 发票, 發票, 收据, 收據, 账单, 세금계산서, 계산서, 영수증, 청구서",
    "ใบกำกับภาษี, ใบเสร็จรับเงิน, ใบแจ้งหนี้",
)
_OTHER = _words(
    "quotation, quote, offer, estimate, delivery note, delivery docket, goods received, packing slip, packing list",
    "order confirmation, purchase order, sales order, booking order, booking form, reminder, statement, contract",
    "agreement, application, registration, claim, survey, expense report, terms, conditions, curriculum, licen[cs]e",
    "certificate",
    "angebot, lieferschein, auftragsbest[äa]tigung, bestellung, mahnung, zahlungserinnerung, kontoauszug, vertrag",
    "antrag, spesenabrechnung, reisekostenabrechnung, lebenslauf, bescheinigung, [\\w]*gesch[äa]ftsbedingungen",
    "devis, bon de livraison, bon de commande, commande, rappel, relev[ée], contrat, conditions g[ée]n[ée]rales",
    "note de frais, formulaire, attestation",
    "presupuesto, albar[áa]n, nota de entrega, remisi[óo]n, pedido, recordatorio, contrato, condiciones, solicitud",
    "formulario, certificado",
    "preventivo, bolla, ddt, ordine, sollecito, contratto, condizioni, nota spese, modulo",
    "offerte, pakbon, bestelling, herinnering, overeenkomst, voorwaarden, aanvraag, declaratie",
    "or[çc]amento, guia, encomenda, lembrete, condi[çc][õo]es",
    "teklif, irsaliye, sipari[şs], hat[ıi]rlatma, s[öo]zle[şs]me",
    "oferta, zam[óo]wienie, wezwanie, umowa, warunki, wniosek",
    "pristilbud, offert, ordrebekr[æe]ftelse, ordrebekreftelse, orderbekr[äa]ftelse",
    "f[øo]lgeseddel, pakkseddel, f[öo]ljesedel, p[åa]minnelse, p[åa]mindelse, betalingsp[åa]minnelse, kontoutskrift",
    "kontoudtog, kontoutdrag, avtale, aftale, avtal, vilk[åa]r, villkor",
    "tarjous, tilausvahvistus, l[äa]hete, maksumuistutus, tiliote, sopimus, ehdot",
    "hinnapakkumine, saateleht, tellimus, leping, pied[āa]v[āa]jums, l[īi]gums, pasi[ūu]lymas, u[žz]sakymas, sutartis",
    "[áa]raj[áa]nlat, sz[áa]ll[íi]t[óo]lev[ée]l, megrendel[ée]s, felsz[óo]l[íi]t[áa]s, szerz[őo]d[ée]s",
    "ofert[ăa], aviz, comand[ăa], soma[țţt]ie, extras de cont",
    "ponuda, ponudba, cenov[áa] ponuka, otpremnica, dobavnica, narud[žz]ba, naro[čc]ilo, opomena, opomin, ugovor",
    "pogodba, dodac[íi] list, upomienka, zmluva",
    "nab[íi]dka, dodac[íi] list, objedn[áa]vka, upom[íi]nka, smlouva, podm[íi]nky, [žz][áa]dost",
    "cotizaci[óo]n, orden de compra, estado de cuenta, ordem de compra, extrato",
    "penawaran, surat jalan, b[áa]o gi[áa], đơn đặt hàng",
    "оферта, коммерческое предложение, заказ, поръчка, договор, договір, замовлення, накладная, выписка, понуда",
    "προσφορ[άα], παραγγελ[ίι]α, δελτ[ίι]ο αποστολ[ήη]ς, σ[ύυ]μβαση, הצעת מחיר, הזמנה, عرض سعر, أمر شراء",
)
_OTHER_INSIDE = _words(
    "見積書, 納品書, 注文書, 発注書, 契約書, 报价单, 報價單, 采购订单, 订单, 送货单, 合同, 견적서, 발주서, 거래명세서",
    "ใบเสนอราคา, ใบสั่งซื้อ, ใบส่งของ",
)
_CARRIED = _words(
    "carried, brought, continued, forward, page total, sub total page, [üu]bertrag, fortsetzung, report[ée]?, suite",
    "suma y sigue, riporto, segue, transport, transporte, devreden, nakli, przeniesienia, p[řr]evod",
)
# "Bill to" and "Invoice date" are headings of other things.
_HEADS_OTHERS = r"(?!\s*(?:to|date|address|for|an|datum|adres+e?)\b)"
_INVOICE_TITLE = re.compile(
    rf"\b(?:{_INVOICE})\b{_HEADS_OTHERS}|(?:rechnung|faktura|factuur)\b|{_INVOICE_INSIDE}", re.IGNORECASE
)
_OTHER_TITLE = re.compile(rf"\b(?:{_OTHER})\b|{_OTHER_INSIDE}", re.IGNORECASE)
_CARRIED_OVER = re.compile(rf"\b(?:{_CARRIED})\b", re.IGNORECASE)


def names_invoice(title: str) -> bool:
    """Whether a title is that of an invoice, a receipt or a credit note."""
    return _INVOICE_TITLE.search(title) is not None


def names_other_document(title: str) -> bool:
    """Whether a title is that of a document that asks for no payment: an offer, a delivery note, terms ..."""
    return _OTHER_TITLE.search(title) is not None


def carries_over(line: str) -> bool:
    """Whether a line carries over a sum from page to page."""
    return _CARRIED_OVER.search(line) is not None
