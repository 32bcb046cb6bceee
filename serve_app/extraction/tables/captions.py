"""The captions that head the columns of an item table, in the languages of the service.

Captions are compared without accents, case and punctuation: "Q.tà" is "q ta", "P.U. HT" is "p u ht".
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from serve_app.domain.labels import Label
from serve_app.extraction.plain import plain

# Letters that Unicode does not decompose into a base and an accent.
_TOKEN = re.compile(r"[^\W\d_]+|[%#]")

_DESCRIPTION = """
    description, desc, item, items, item description, item name, product, products, product description, product
    name, product service, details, particulars, service, services, activity, article, work performed,
    goods, description of goods, description of goods and services, description of services, reference and
    description, bezeichnung, beschreibung, artikel, leistung, artikelbezeichnung, artikelbeschreibung, text,
    leistungsbeschreibung, produkt, artikel leistung, bezeichnung leistung, tatigkeit, produktbeschreibung,
    warenbezeichnung, gegenstand, designation, libelle, prestation, produit, designation des produits, nature des
    prestations, detail, intitule, descripcion, concepto, articulo, detalle, producto, servicio, denominacion,
    conceptos, descripcion del producto, descrizione, descrizione beni e servizi, articolo, descrizione merce,
    prestazione, natura e qualita dei beni, descrizione prodotti, dettaglio, prodotto, voce, omschrijving,
    beschrijving, dienst, artikelomschrijving, werkzaamheden, productomschrijving, specificatie, nazwa towaru lub
    uslugi, nazwa, nazwa towaru uslugi, opis, towar usluga, nazwa uslugi, nazwa towaru, wyszczegolnienie, descricao,
    designacao, artigo, produto, servico, descricao do artigo, discriminacao, descricao dos servicos, descritivo,
    aciklama, mal hizmet, urun, urun adi, cinsi, malzeme hizmet aciklamasi, hizmet, mal hizmet cinsi, malin cinsi,
    oznaceni dodavky, popis, nazev, polozka, nazev polozky, popis polozky, predmet plneni, zbozi sluzba, nazev zbozi,
    benamning, artikel benamning, beskrivning, beskrivelse, varebeskrivelse, tekst, ydelse, kuvaus, tuote, nimike,
    selite, megnevezes, termek megnevezese, opis, naziv, opis proizvoda, naziv artikla, denumire, denumirea
    produselor sau a serviciilor, denumire produs serviciu, popis tovaru, nazov, περιγραφη, ειδος, particulars of goods,
    bezeichnung der leistung, art der leistung, descripcion del servicio, description of service,
    pavadinimas, prekes pavadinimas, preke, paslauga, prekes paslaugos pavadinimas, nosaukums, preces nosaukums, prece,
    pakalpojums, apraksts, nimetus, kauba nimetus, toode, teenus, kirjeldus, lysing, vara, pershkrimi, наименование,
    наименование товара, товар, товары, услуга, описание, название, найменування, назва, опис, назив, наименование на
    стоката, стока, nama barang, nama produk, nama item, keterangan, uraian, deskripsi, barang, layanan, butiran, ten
    hang, ten hang hoa, ten hang hoa dich vu, ten san pham, san pham, dien giai, mo ta, รายการ, รายละเอียด, สินค้า, 品名,
    商品名, 内容, 項目, 摘要, 품목, 품명, 내역, תיאור, פריט, البيان, الوصف, الصنف
"""
_QUANTITY = """
    qty, quantity, quantities, hours, hrs, qty shipped, quantity shipped, quantity billed, qnty, no of units, hrs
    qty, qty hrs, units, pcs, order qty, this shipment, menge, anzahl, stuck, stk, anz, stunden, std, einheiten,
    mge, menge me, stuckzahl, quantite, qte, quant, nb, nbre, nombre, qte facturee, heures, jours, cantidad, cant,
    uds, unidades, horas, quantita, q ta, qta, ore, pezzi, aantal, hoeveelheid, aant, uren, stuks, aantal uren,
    ilosc, liczba, godz, quantidade, qtd, qt, qtde, miktar, adet, miktari, saat, mnozstvi, pocet, pocet mj, pocet m
    j, ks, mnoz,
    antal, antall, maara, mennyiseg, menny, kolicina, kol, cantitate, cantitatea, mnozstvo, ποσοτητα, ποσοτ, μοναδες,
    duree qte, cajas, anz einh, antal st, berechnete menge, invoiced quantity,
    kiekis, daudzums, skaits, kogus, magn, sasia, количество, кол во, колво, кол, кількість, количина, kuantitas,
    banyak, banyaknya, kuantiti, so luong, จำนวน, 数量, 數量, 수량, כמות, الكمية
"""
_UNIT_PRICE = """
    unit price, price unit, rate, unit cost, cost, price each, price per unit, rate hr, each, u price, list price,
    unit net price, item price, price excl vat, individual price, rate per, einzelpreis, e preis, ep, preis, einzel,
    stuckpreis, preis einheit, preis je einheit, einzelpreis netto, satz, stundensatz, listenpreis, einheitspreis,
    nettopreis, preis entgelt, prix unitaire, p u, pu, pu ht, p u ht, prix unitaire ht, prix unit, prix, tarif, prix
    u ht, prix net, p u net, prix unitaire ttc, taux horaire, precio, precio unitario, p unitario, precio ud, precio
    unit, p unit, valor unitario, tarifa, importe unitario, precio hora, base unitaria, prezzo, prezzo unitario,
    prezzo unit, prezzo un, importo unitario, pr unitario, tariffa, prezzo netto, prijs, stukprijs, stuksprijs,
    prijs per stuk, eenheidsprijs, tarief, prijs excl, uurtarief, prijs per eenheid, nettoprijs, prijs excl btw,
    cena netto, cena jedn, cena jednostkowa netto, cena, cena brutto, cena jedn netto, c netto, cena jednostkowa,
    preco unitario, preco unit, preco, preco un, pr unit, vlr unit, pvp, preco s iva, birim fiyat, birim fiyati,
    fiyat, br fiyat, cena za mj, cena za m j, j cena, jednotkova cena, cena mj, jedn cena bez dph,
    unit price excl vat, unit price incl vat, stuckpreis ohne ust, stuckpreis inkl ust, prix unitaire hors tva, prix
    unitaire tva comprise, prezzo unitario iva esclusa, prezzo unitario iva inclusa, precio por unidad, precio por
    unidad iva excluido, precio por unidad iva incluido,
    a pris, apris, pris, pris enhet, pris st, enhetspris, enhedspris, stk pris, a hinta, yksikkohinta, hinta, egysegar,
    netto egysegar, cijena, jedinicna cijena, cena na enoto, pret, pret unitar, jednotkova cena bez dph, τιμη, τιμη
    μοναδος, ansatz, preis pro einheit, item net price, prix par unite,
    kaina, vieneto kaina, vnt kaina, kaina be pvm, cena bez pvn, vienibas cena, hind, uhiku hind, hind km ta,
    ein verd, einingarverd, cmimi, цена, цена за ед, ед цена, единична цена, ціна, harga, harga satuan, harga unit, don
    gia, ราคา, ราคาต่อหน่วย, หน่วยละ, 単価, 单价, 單價, 단가, מחיר, السعر, سعر الوحدة
"""
_TOTAL = """
    total, line total, net amount, total price, ext price, extended, extended price, total net, subtotal, sum,
    value, extension, net value, line amount, total amount, amount excl vat, amt, total cost, item total,
    gesamtpreis, gesamt, betrag, g preis, summe, gp, gesamtbetrag, gesamtpreis netto, positionsbetrag, pos betrag,
    nettobetrag, wert, betrag netto, summe netto, zeilenbetrag, nettowert, gesamtwert, montant ht, total ht,
    montant, prix total, montant net, montant h t, total ligne, prix total ht, net ht, total ttc, montant net ht,
    montant ttc, valeur, importe, importe total, total linea, importe neto, precio total, importo, totale, prezzo
    totale, importo totale, importo netto, valore, tot riga, totale riga, bedrag, totaal, totaalprijs, subtotaal,
    totaal excl, regeltotaal, netto bedrag, totaal excl btw, bedrag excl btw, totaalbedrag, wartosc netto, wartosc,
    wartosc brutto, kwota netto, razem, wart netto, kwota, valor, total liquido, montante, valor total, importancia,
    total s iva, valor liquido, total iliquido, tutar, toplam, mal hizmet tutari, tutari, toplam tutar, net tutar,
    satir toplami, celkem, cena celkem, celkem bez dph, castka, celkem s dph, zwischensumme,
    zwischensumme inkl ust, zwischensumme ohne ust, item subtotal, item subtotal incl vat, prix total tva comprise,
    prezzo totale iva inclusa, precio total iva incluido,
    belopp, summa, summa kr, belop, belob, yhteensa, summa eur, veroton, netto ertek, ertek, brutto ertek, iznos,
    ukupno, znesek, valoare, valoarea, suma, αξια, συνολο, συνολικη αξια, total htva, montant htva, bedrag euro,
    line net amount, positionssumme, montant de la ligne,
    suma be pvm, suma su pvm, summa bez pvn, kokku, samtals, upphaed, shuma, vlera, сумма, сума, стоимость,
    вартість, стойност, износ, вкупно, укупно, вредност, jumlah harga, total harga, jumlah rp, thanh tien, จำนวนเงิน,
    ราคารวม, 金額, 金额, 小計, 금액, 공급가액, סהכ, סה כ, المجموع, الإجمالي, المبلغ
"""
# Captions of the price in one table and the total in another, or of the quantity and the total, or of what is charged.
_PRICE_OR_TOTAL = "price, net, netto, net price, entgelt, cena bez dph, zaklad"
_QUANTITY_OR_TOTAL = "amount, jumlah"
_DESCRIPTION_OR_TOTAL = "charge, charges"
# Columns that have none of a row's values.
_OTHER = """
    pos, position, no, nr, num, number, item no, line, sl no, s no, sr no, sr, si no, lp, code, sku, item code, item
    #, product code, ref, reference, art nr, art no, artikelnummer, artikel nr, article no, item number, gtin, ean,
    hsn, hsn sac, sac, unit, ud, part no, part number, model, uom, um, u m, einheit, me, unite, unidad, eenheid, un,
    unidade, birim, olcu, jm, j m, mj, m j, discount, disc, disc %, rabatt, remise, descuento, dto, sconto, korting,
    desconto, iskonto, rabat, sleva, date, datum, fecha, data, tarih, weight, gewicht, ordered, back order, shipped,
    currency,
    jm j, mertekegyseg, me, enhet, enhed, yks, yksikko, jed mjere, enota, um, μ μ, α α, rabatt %, alennus, popust,
    kedvezmeny, reducere, zlava, εκπτωση,
    vnt, mat vnt, mervieniba, uhik, eining, ед, ед изм, од, мярка, satuan, dvt, หน่วย, ลำดับ, 単位, 单位, 단위,
    stt
"""
# Columns about tax: without any others, they make a table of taxes.
_TAX = """
    vat, vat rate, vat %, vat amount, tax, tax rate, tax %, tax amount, tax base, taxable amount, taxable value,
    gst, gst rate, gst amount, cgst, sgst, igst, central tax, state tax, mwst, mwst satz, mwst %, mwst betrag, ust,
    ust %, ust satz, ust betrag, steuer, steuersatz, steuersatz %, steuerbetrag, basisbetrag, steuerbasisbetrag,
    warenwert, umsatzsteuer, bemessungsgrundlage, zu abschlag, prozent, prozentsatz, tva, taux tva, tva %, taux,
    base ht, montant tva, iva, iva %, % iva, tipo iva, base imponible, cuota iva, imponibile, aliquota, imposta,
    importe iva, btw, btw %, btw bedrag, kdv, kdv orani, kdv tutari, stawka vat, kwota vat, dph, dph %, sazba dph,
    taxa iva, valor iva, rate amount, tax type, base,
    moms, moms %, mva, mva %, alv, alv %, afa, afa %, afa kulcs, pdv, pdv %, ddv, ddv %, cota tva, valoare tva, φπα,
    φπα %, moms sats,
    pvn, pvn %, pvm, pvm %, kaibemaks, vsk, ндс, ндс %, пдв, ддс, ддв, ppn, pajak, 税率, 税額, 消費税
"""


# The beginning of a line with a sum within the table: of a page or section, or carried over.
_SUBTOTAL = """
    subtotal, sub total, page total, sheet total, carried, carry, c f, brought forward, zwischensumme, ubertrag,
    seitenubertrag, seitensumme, sous total, total page, total intermediaire, a reporter, report, total pagina, suma
    y sigue, suma anterior, a riportare, totale pagina, totale a riportare, subtotale, paginatotaal, subtotaal,
    delsumma, delsum, valisumma,
    reszosszeg, medjuzbroj, total intermediar, μερικο συνολο, transporteren, over te brengen,
    suma strony, razem strona, razem na stronie, do przeniesienia, a transportar,
    nakli yekun, devreden, sayfa, ara toplam, prevod, k prenosu, mezisoucet, soucet strany, strana
"""
# The text of such a line if it has no other.
_SUM = """
    total, sum, net, tax, vat, summe, gesamt, gesamtsumme, gesamtbetrag, netto, positionssumme, mwst, ust, somme,
    total ht, total ttc, tva, suma, totale, iva, totaal, btw, razem, wartosc, toplam, kdv, celkem, dph
"""
# The beginning of a line with what is left of the row above after its discount.
_LEFT = """
    after discount, line total, discounted price, nach rabatt, nach abzug, apres remise, apres rabais, tras descuento,
    dopo sconto, al netto dello sconto, na korting, po rabacie, po sleve, apos desconto, iskonto sonrasi, indirim
    sonrasi
"""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a caption says about the column below: the labels that its cells may carry, none if it has other things."""

    labels: frozenset[Label]
    is_tax: bool = False


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(plain(text))


def _phrases(text: str) -> Iterator[tuple[str, ...]]:
    return (tuple(tokens(phrase)) for phrase in text.split(","))


_MEANINGS: Mapping[tuple[str, ...], Meaning] = {
    phrase: meaning
    for text, meaning in (
        (_OTHER, Meaning(frozenset())),
        (_TAX, Meaning(frozenset(), is_tax=True)),
        (_DESCRIPTION, Meaning(frozenset({Label.LINE_DESCRIPTION}))),
        (_QUANTITY, Meaning(frozenset({Label.LINE_QUANTITY}))),
        (_UNIT_PRICE, Meaning(frozenset({Label.LINE_UNIT_PRICE}))),
        (_TOTAL, Meaning(frozenset({Label.LINE_TOTAL}))),
        (_PRICE_OR_TOTAL, Meaning(frozenset({Label.LINE_UNIT_PRICE, Label.LINE_TOTAL}))),
        (_QUANTITY_OR_TOTAL, Meaning(frozenset({Label.LINE_QUANTITY, Label.LINE_TOTAL}))),
        (_DESCRIPTION_OR_TOTAL, Meaning(frozenset({Label.LINE_DESCRIPTION, Label.LINE_TOTAL}))),
    )
    for phrase in _phrases(text)
}
LONGEST = max(map(len, _MEANINGS))


def meaning_of(phrase: tuple[str, ...]) -> Meaning | None:
    """The meaning of a caption with these tokens; None if it is not one."""
    return _MEANINGS.get(phrase)


_SUBTOTALS, _SUMS, _LEFTS = tuple(_phrases(_SUBTOTAL)), frozenset(_phrases(_SUM)), tuple(_phrases(_LEFT))


def captions_sum(text: str) -> bool:
    """Whether the words of a line name a sum of several rows."""
    written = tuple(tokens(text))
    return written in _SUMS or _begins(written, _SUBTOTALS)


def captions_what_is_left(text: str) -> bool:
    """Whether the description of a row says that it is the one above, after its discount."""
    return _begins(tuple(tokens(text)), _LEFTS)


def _begins(written: tuple[str, ...], phrases: Iterable[tuple[str, ...]]) -> bool:
    return any(written[: len(phrase)] == phrase for phrase in phrases)
