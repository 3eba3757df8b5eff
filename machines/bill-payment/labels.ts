import type { Value } from '../kit/screen.ts';

/** The usual labels of bill forms, as creditors send them in French: their keys, Arabic, English. */
const GLOSSARY: readonly (readonly [keys: string, ar: string, en: string])[] = [
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
];
const KNOWN = new Map(
  GLOSSARY.flatMap(([keys, arText, enText]) =>
    keys.split('|').map((key) => [key, { arText, enText }] as const),
  ),
);

/** A label that a creditor sends, in the customer's language where it is a usual one. Any other is shown as it was sent. */
export function labelled(text: string): Extract<Value, { text: string }> {
  return { text, ...KNOWN.get(keyOf(text)) };
}

/** Without accents, case and signs, and `N°` as it is read. */
function keyOf(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('e-mail', 'email');
  const words = plain.replace(/\bn(?:°|º|o\b|um\b\.?)/g, 'numero ').replace(/\bref\b\.?/g, 'reference ');
  return words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}
