import type { z } from 'zod';
import { ARTICLE_TYPES, type article, type globalParam } from '../../wallet/contract/bills.ts';
import { type Centimes, centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
import type { Seeded } from '../core/random.ts';
import type { Creditor, Receivable } from './creditors.ts';

export type Article = z.output<typeof article>;
export type GlobalParam = z.output<typeof globalParam>;

/** The bills and the name behind a contract number. */
export interface Account {
  readonly creditor: Creditor;
  readonly receivable: Receivable;
  readonly contract: string;
}

/** Invented, as everything here. */
const NAMES = ['Rachid Filali', 'Samira Bennani', 'Hassan Mernissi', 'Laila Berrada', 'Karim Sebti'] as const;
const ADDRESSES = ['12, rue des Orangers', '7, avenue de la Plage', '45, boulevard des Cèdres'] as const;
const DAY_MAX = 28;

/**
 * The bills of a contract up to now: one for each of the last months (or years), and what comes with the newest. The same
 * seed and contract always have the same ones. With a new month comes a new bill.
 * @param amounts in dirhams, the oldest first, where a scenario says what is due
 */
export function articlesOf(
  random: Seeded,
  account: Account,
  now: number,
  amounts?: readonly number[],
): readonly Article[] {
  const { receivable } = account;
  const { name, every, count, dirhams } = receivable.bills;
  const [from, to] = dirhams.map((each) => each * 100) as [number, number];
  const between = chooser(random, account);
  const bills = Array.from({ length: amounts?.length ?? between('count', 0, count) }, (_, ago): Article => {
    const { at, label } = dateBefore(now, every, ago);
    const day = String(between('day', at, [1, DAY_MAX])).padStart(2, '0');
    return {
      idArticle: `${receivable.code}${label.replace('/', '')}`,
      description: `${name} ${label}`,
      dateFacture: `${day}/${monthOf(at)}`,
      prixTTC: amounts?.at(-1 - ago) ?? toDecimal(centimes(between('price', at, [from, to]))),
      typeArticle: ARTICLE_TYPES.RECEIVABLE,
    };
  });
  const [newest] = bills;
  const extras = (receivable.extras ?? []).map((extra, i) => ({
    idArticle: `${newest?.idArticle}-${i + 1}`,
    description: extra.name,
    dateFacture: newest?.dateFacture,
    prixTTC: extra.dirhams,
    typeArticle: extra.type,
  }));
  return [...bills.toReversed(), ...extras];
}

/**
 * The parameters that the network gives with the items. The first four are technical: their label is empty, and they come
 * back with the payment as they went out (Partner API v2.3, "Bill payment").
 */
export function paramsOf(random: Seeded, account: Account): readonly GlobalParam[] {
  const between = chooser(random, account);
  const shown = {
    nomClient: ['Nom du client', NAMES[between('name', 0, [0, NAMES.length - 1])]],
    adresse: ['Adresse', ADDRESSES[between('address', 0, [0, ADDRESSES.length - 1])]],
  } as const;
  return [
    { libelle: '', nomChamp: 'contrPaiement', valeurChamp: '1' },
    { libelle: '', nomChamp: 'isConfTO', valeurChamp: '0' },
    { libelle: '', nomChamp: 'isAnnul', valeurChamp: '0' },
    { libelle: '', nomChamp: 'rejoue', valeurChamp: '0' },
    ...account.creditor.shows.map((name) => {
      const [libelle, valeurChamp] = shown[name];
      return { libelle, nomChamp: name, valeurChamp };
    }),
  ];
}

export function totalOf(items: readonly Article[]): Centimes {
  return centimes(items.reduce((sum, { prixTTC }) => sum + fromDecimal(prixTTC), 0));
}

/** A whole number between two others, both possible. Always the same one for a contract and purpose. */
function chooser(random: Seeded, { creditor, receivable, contract }: Account) {
  return (purpose: string, n: number, [from, to]: readonly [number, number]): number => {
    const name = `bill:${creditor.code}:${receivable.code}:${contract}:${purpose}`;
    return from + Math.floor(random.share(name, n) * (to - from + 1));
  };
}

/** The month or year that ended before now, and those before it. */
function dateBefore(now: number, every: 'month' | 'year', ago: number) {
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  const at = every === 'month' ? Date.UTC(year, month - 1 - ago) : Date.UTC(year - ago, 0);
  return { at, label: every === 'month' ? monthOf(at) : String(year - ago) };
}

/** `10/2026`. */
function monthOf(at: number): string {
  const date = new Date(at);
  return `${String(date.getUTCMonth() + 1).padStart(2, '0')}/${date.getUTCFullYear()}`;
}
