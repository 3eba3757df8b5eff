import { type Centimes, centimes } from '../../wallet/money.ts';

export interface Brand {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** A path of the sandbox. */
  readonly image: string;
  /** Of its pictures. */
  readonly colour: string;
  /** How long its vouchers last. */
  readonly expirationDays: number;
}

export interface Article {
  readonly sku: string;
  readonly brand: Brand;
  readonly name: string;
  readonly description: string;
  readonly image: string;
  readonly price: Centimes;
}

/** The issuer of the vouchers. Invented, as everything here. */
export const PROVIDER_ID = 41;

/** Listed and priced like any other, but never to be had. */
export const OUT_OF_STOCK_SKU = 'JOUET-500';

/** Key, name, what it sells, colour, days that a voucher lasts, prices in dirhams. */
const ROWS = [
  ['SOUK', 'Souk Frais (test)', 'Supermarchés et épicerie', '#2e7d32', 180, [50, 100, 200, 500, 1000]],
  ['MAISON', 'Dar Maison (test)', 'Meubles et décoration', '#6d4c41', 365, [100, 250, 500, 1000]],
  ['LIVRE', 'Kitab Plus (test)', 'Livres et papeterie', '#1565c0', 365, [50, 100, 150, 200]],
  ['MODE', 'Caftan & Co (test)', 'Mode et chaussures', '#ad1457', 180, [100, 200, 300, 500]],
  ['JEU', 'Atlas Jeux (test)', 'Jeux vidéo et crédits en ligne', '#4527a0', 90, [50, 100, 200, 500]],
  ['ECRAN', 'Ciné Ritz (test)', 'Places de cinéma', '#b71c1c', 60, [50, 80, 120]],
  ['JOUET', 'Ludo Kids (test)', 'Jouets et puériculture', '#ef6c00', 180, [50, 100, 200, 500]],
  ['TECH', 'Nour Tech (test)', 'Téléphones et électroménager', '#37474f', 365, [200, 500, 1000]],
] as const;

export const BRANDS: readonly Brand[] = ROWS.map(([key, name, description, colour, expirationDays], i) => ({
  id: i + 1,
  name,
  description,
  image: `/pictures/${key.toLowerCase()}.png`,
  colour,
  expirationDays,
}));

export const ARTICLES: readonly Article[] = ROWS.flatMap(([key, , , , , prices], i) =>
  prices.map((dirhams) => {
    const brand = BRANDS[i] as Brand;
    return {
      sku: `${key}-${dirhams}`,
      brand,
      name: `${brand.name.replace(' (test)', '')} ${dirhams} DH (test)`,
      description: `Bon d'achat de ${dirhams} DH, valable ${brand.expirationDays} jours`,
      image: `/pictures/${key.toLowerCase()}-${dirhams}.png`,
      price: centimes(dirhams * 100),
    };
  }),
);
