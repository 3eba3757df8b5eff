import type { Value } from '../../machines/kit/screen.ts';
import type { BillItem } from '../wallet/services.ts';

/** The usual labels of bill forms, as creditors send them in French: their keys, Arabic, English. */
type Glossary = readonly (readonly [keys: string, ar: string, en: string])[];
const FIELDS: Glossary = [
  ['numero de contrat|contrat', 'رقم العقد', 'Contract number'],
  ['reference client|reference du client|reference', 'مرجع الزبون', 'Customer reference'],
  ['numero de client|numero client|code client', 'رقم الزبون', 'Customer number'],
  ['numero de facture|numero facture|reference facture|facture', 'رقم الفاتورة', 'Invoice number'],
  ['cin|numero de cin|numero cin|cnie|numero de cnie', 'رقم البطاقة الوطنية', 'National ID number'],
  ['numero de telephone|telephone|gsm|numero de mobile|mobile', 'رقم الهاتف', 'Phone number'],
  ['numero de police|police', 'رقم الاشتراك', 'Policy number'],
  ['numero de compteur|compteur', 'رقم العداد', 'Meter number'],
  ['numero de dossier|dossier', 'رقم الملف', 'File number'],
  ['identifiant fiscal|if', 'رقم التعريف الضريبي', 'Tax number'],
  ['identifiant|login', 'المعرف', 'ID'],
  ['numero d article', 'رقم الفصل الضريبي', 'Article number'],
  ['numero d avis', 'رقم الإشعار', 'Notice number'],
  ['date de l avis', 'تاريخ الإشعار', 'Notice date'],
  ['date d emission de l avis|date d emission', 'تاريخ الإصدار', 'Issue date'],
  ['date d echeance|echeance', 'تاريخ الاستحقاق', 'Due date'],
  ['numero d affiliation', 'رقم الانخراط', 'Affiliation number'],
  ['numero d immatriculation|immatriculation|numero d enregistrement', 'رقم التسجيل', 'Registration number'],
  ['date de naissance', 'تاريخ الازدياد', 'Birth date'],
  ['nom|nom et prenom|nom du client|titulaire', 'الاسم الكامل', 'Full name'],
  ['adresse', 'العنوان', 'Address'],
  ['ville', 'المدينة', 'City'],
  ['email|adresse email', 'البريد الإلكتروني', 'Email'],
  ['montant', 'المبلغ', 'Amount'],
  ['mot de passe', 'كلمة المرور', 'Password'],
  ['code d acces', 'رمز الولوج', 'Access code'],
  ['code de l eleve|code eleve', 'رمز التلميذ', 'Pupil code'],
  ['nom de l eleve', 'اسم التلميذ', 'Name of the pupil'],
  ['type de client', 'نوع الزبون', 'Type of customer'],
  ['particulier', 'فرد', 'Private'],
  ['professionnel', 'مهني', 'Business'],
  ['lettre', 'الحرف', 'Letter'],
  ['prefecture', 'رقم العمالة', 'Prefecture'],
  ['chiffre de controle', 'رقم المراقبة', 'Check digit'],
];
/** The usual names of what is billed, without the month or number behind them. */
const BILLED: Glossary = [
  ['facture|factures', 'فاتورة', 'Bill'],
  ['eau', 'الماء', 'Water'],
  ['electricite', 'الكهرباء', 'Electricity'],
  ['eau et electricite', 'الماء والكهرباء', 'Water and electricity'],
  ['facture eau|facture d eau', 'فاتورة الماء', 'Water bill'],
  ['facture electricite|facture d electricite', 'فاتورة الكهرباء', 'Electricity bill'],
  ['travaux', 'أشغال', 'Works'],
  ['travaux et branchements', 'الأشغال والربط', 'Works and connections'],
  ['frais de relance', 'مصاريف التذكير', 'Reminder fee'],
  ['frais de dossier', 'مصاريف الملف', 'File fee'],
  ['frais de service', 'رسوم الخدمة', 'Service fee'],
  ['droit de timbre|timbre', 'واجب التنبر', 'Stamp duty'],
  ['majoration de retard', 'زيادة التأخير', 'Late payment surcharge'],
  ['penalite', 'غرامة', 'Penalty'],
  ['amende|amendes', 'مخالفة', 'Fine'],
  ['mobile', 'الهاتف المحمول', 'Mobile'],
  ['fixe', 'الهاتف الثابت', 'Landline'],
  ['internet', 'الإنترنت', 'Internet'],
  ['cotisation|cotisations', 'اشتراك', 'Contribution'],
  ['mensualite', 'قسط شهري', 'Monthly instalment'],
  ['scolarite|frais de scolarite', 'مصاريف الدراسة', 'School fees'],
  ['prime', 'قسط التأمين', 'Premium'],
  ['charges', 'تحملات', 'Service charges'],
];
const [FIELD, ITEM] = [knownIn(FIELDS), knownIn(BILLED)];
type Text = Extract<Value, { text: string }>;

/** A label that a creditor sends, in the customer's language where it is a usual one. Any other is shown as it was sent. */
export function labelled(text: string): Text {
  return { text, ...FIELD.get(keyOf(text)) };
}

/** The same for a bill, a fixed item or a service: `Facture 08/2026`. */
export function billed(text: string): Text {
  const [words, number] = partsOf(text);
  const { arText, enText } = ITEM.get(keyOf(words)) ?? {};
  if (!arText || !enText) return { text };
  return { text, arText: `${arText} ${number}`.trim(), enText: `${enText} ${number}`.trim() };
}

/**
 * The bills by their names, with the words that they share said once: `Facture 07/2026, 08/2026`. A date tells those apart that have no
 * number. Undefined for no bills.
 * @param most so many are named. Of more, the first and the last one are, and their number
 */
export function namesOf(bills: readonly BillItem[], most = bills.length): Text | undefined {
  const isMore = bills.length > most;
  const named = eachNamed(isMore ? [...bills.slice(0, 1), ...bills.slice(-1)] : bills);
  if (named.length === 0) return undefined;
  return listed(named, isMore ? ' … ' : undefined, isMore ? ` (${bills.length})` : '');
}

/** The same, one by one. Those that begin as the first one does are their month or number alone. */
function eachNamed(bills: readonly BillItem[]): readonly Text[] {
  const names = bills.map(({ description, date }) =>
    /\d/.test(description) ? description : `${description} ${date}`.trim(),
  );
  const [words] = partsOf(names[0] ?? '');
  return names.map((name, i) => {
    const [own, number] = partsOf(name);
    return i > 0 && own === words && number !== '' ? { text: number } : billed(name);
  });
}

/** One bill, and the service where that is to be said. An Arabic page has room for the month or number alone. */
export function nameOf(bill: BillItem, service?: string): Text {
  return numberInArabic(
    service === undefined ? (namesOf([bill]) ?? billed(bill.description)) : paidFor(service, [bill]),
  );
}

/** Bills in a list, each on its line. In Arabic too, what tells them apart is enough where they begin alike. */
export function namesInList(bills: readonly BillItem[]): readonly Text[] {
  const named = eachNamed(bills);
  const areAlike = named.slice(1).every(({ text }) => !/\p{L}/u.test(text));
  return areAlike ? named.map(numberInArabic) : named;
}

function numberInArabic(name: Text): Text {
  const [, number] = partsOf(name.text);
  return number === '' ? name : { ...name, arText: number };
}

/** The service and its bills. Bills that say it by themselves stand alone: `Facture 08/2026` of the service `Factures`. */
export function paidFor(service: string, bills: readonly BillItem[], most?: number): Text {
  const [name, said] = [keyOf(service), keyOf(partsOf(bills[0]?.description ?? '')[0])];
  const names = namesOf(bills, most);
  if (!names) return billed(service);
  return said.includes(name) || name === `${said}s` ? names : listed([billed(service), names]);
}

function listed(all: readonly Text[], between?: string, end = ''): Text {
  const said = (language: 'text' | 'arText' | 'enText', comma = ', ') =>
    all.map((each) => each[language] ?? each.text).join(between ?? comma) + end;
  return { text: said('text'), arText: said('arText', '، '), enText: said('enText') };
}

function knownIn(
  glossary: Glossary,
): ReadonlyMap<string, { readonly arText: string; readonly enText: string }> {
  return new Map(
    glossary.flatMap(([keys, arText, enText]) =>
      keys.split('|').map((key) => [key, { arText, enText }] as const),
    ),
  );
}

function partsOf(text: string): [words: string, number: string] {
  const number = /[\d/.-]*$/.exec(text.trim())?.[0] ?? '';
  const words = text
    .trim()
    .slice(0, -number.length || undefined)
    .trim();
  return words === '' ? [text, ''] : [words, number];
}

/** Without accents, case and signs, and `N°` as it is read. */
function keyOf(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('e-mail', 'email');
  const words = plain.replace(/\bn(?:°|º|o\b|um\b\.?)/g, 'numero ').replace(/\bref\b\.?/g, 'reference ');
  return words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}
