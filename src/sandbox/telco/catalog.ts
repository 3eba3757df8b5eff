import type { Operator } from '../../wallet/contract/telco.ts';

/** A product that an operator sells for an amount, besides the classic top-up. */
export type Product = (typeof PRODUCTS)[number];

/** Code, dirhams, key of the pass, French, Arabic. `off` where the operator has stopped selling it. */
type Row = readonly [code: number, dirhams: number, pass: string, fr: string, ar: string, state?: 'off'];

/** Invented, in the manner of the passes that Moroccans know by their keys. Hence "(test)". */
const ROWS: Readonly<Record<Operator, readonly Row[]>> = {
  1: [
    [1101, 5, '*3', '500 Mo internet, 1 jour', '500 ميغا إنترنت، يوم واحد'],
    [1102, 5, '*6', 'Réseaux sociaux 1 Go, 1 jour', 'شبكات اجتماعية 1 جيغا، يوم واحد'],
    [1103, 10, '*1', "1 h d'appels nationaux, 3 jours", 'ساعة مكالمات وطنية، 3 أيام'],
    [1104, 10, '*3', '1 Go internet, 3 jours', '1 جيغا إنترنت، 3 أيام'],
    [1105, 10, '*6', 'Réseaux sociaux 2 Go, 3 jours', 'شبكات اجتماعية 2 جيغا، 3 أيام'],
    [1106, 10, '*4', "Appels vers l'étranger 10 min, 3 jours", 'مكالمات دولية 10 دقائق، 3 أيام', 'off'],
    [1107, 20, '*1', "2 h d'appels nationaux, 7 jours", 'ساعتان مكالمات وطنية، 7 أيام'],
    [1108, 20, '*3', '3 Go internet, 7 jours', '3 جيغا إنترنت، 7 أيام'],
    [1109, 25, '*6', 'Réseaux sociaux 6 Go, 10 jours', 'شبكات اجتماعية 6 جيغا، 10 أيام'],
    [1110, 30, '*1', "4 h d'appels nationaux, 15 jours", '4 ساعات مكالمات وطنية، 15 يوما'],
    [1111, 30, '*3', '6 Go internet, 15 jours', '6 جيغا إنترنت، 15 يوما'],
    [1112, 50, '*1', "7 h d'appels nationaux, 30 jours", '7 ساعات مكالمات وطنية، 30 يوما'],
    [1113, 50, '*2', "3 h d'appels et 5 Go, 30 jours", '3 ساعات مكالمات و5 جيغا، 30 يوما'],
    [1114, 50, '*3', '10 Go internet, 30 jours', '10 جيغا إنترنت، 30 يوما'],
    [1115, 50, '*6', 'Réseaux sociaux 15 Go, 30 jours', 'شبكات اجتماعية 15 جيغا، 30 يوما'],
    [1116, 100, '*2', "8 h d'appels et 10 Go, 30 jours", '8 ساعات مكالمات و10 جيغا، 30 يوما'],
    [1117, 100, '*3', '22 Go internet, 30 jours', '22 جيغا إنترنت، 30 يوما'],
    [1118, 200, '*2', "20 h d'appels et 30 Go, 30 jours", '20 ساعة مكالمات و30 جيغا، 30 يوما'],
    [1119, 200, '*3', '50 Go internet, 30 jours', '50 جيغا إنترنت، 30 يوما'],
  ],
  2: [
    [2101, 5, '*6', 'Réseaux sociaux 600 Mo, 1 jour', 'شبكات اجتماعية 600 ميغا، يوم واحد'],
    [2102, 10, '*1', "1 h 30 d'appels nationaux, 3 jours", 'ساعة ونصف مكالمات وطنية، 3 أيام'],
    [2103, 10, '*3', '1,5 Go internet, 3 jours', '1,5 جيغا إنترنت، 3 أيام'],
    [2104, 20, '*2', "1 h d'appels et 2 Go, 7 jours", 'ساعة مكالمات و2 جيغا، 7 أيام'],
    [2105, 20, '*3', '4 Go internet, 7 jours', '4 جيغا إنترنت، 7 أيام', 'off'],
    [2106, 25, '*6', 'Réseaux sociaux 5 Go, 7 jours', 'شبكات اجتماعية 5 جيغا، 7 أيام'],
    [2107, 30, '*3', '7 Go internet, 15 jours', '7 جيغا إنترنت، 15 يوما'],
    [2108, 50, '*1', "8 h d'appels nationaux, 30 jours", '8 ساعات مكالمات وطنية، 30 يوما'],
    [2109, 50, '*3', '11 Go internet, 30 jours', '11 جيغا إنترنت، 30 يوما'],
    [2110, 50, '*6', 'Réseaux sociaux 14 Go, 30 jours', 'شبكات اجتماعية 14 جيغا، 30 يوما'],
    [2111, 100, '*2', "10 h d'appels et 12 Go, 30 jours", '10 ساعات مكالمات و12 جيغا، 30 يوما'],
    [2112, 200, '*2', "22 h d'appels et 25 Go, 30 jours", '22 ساعة مكالمات و25 جيغا، 30 يوما'],
  ],
  3: [
    [3101, 5, '*3', '600 Mo internet, 1 jour', '600 ميغا إنترنت، يوم واحد'],
    [3102, 10, '*2', "30 min d'appels et 1 Go, 3 jours", 'نصف ساعة مكالمات و1 جيغا، 3 أيام'],
    [3103, 10, '*6', 'Réseaux sociaux 2 Go, 5 jours', 'شبكات اجتماعية 2 جيغا، 5 أيام'],
    [3104, 20, '*1', "3 h d'appels nationaux, 7 jours", '3 ساعات مكالمات وطنية، 7 أيام'],
    [3105, 20, '*3', '4 Go internet, 10 jours', '4 جيغا إنترنت، 10 أيام'],
    [3106, 25, '*6', 'Réseaux sociaux 7 Go, 15 jours', 'شبكات اجتماعية 7 جيغا، 15 يوما'],
    [3107, 30, '*2', "2 h d'appels et 4 Go, 15 jours", 'ساعتان مكالمات و4 جيغا، 15 يوما'],
    [3108, 50, '*1', "9 h d'appels nationaux, 30 jours", '9 ساعات مكالمات وطنية، 30 يوما', 'off'],
    [3109, 50, '*3', '12 Go internet, 30 jours', '12 جيغا إنترنت، 30 يوما'],
    [3110, 50, '*6', 'Réseaux sociaux 16 Go, 30 jours', 'شبكات اجتماعية 16 جيغا، 30 يوما'],
    [3111, 100, '*3', '25 Go internet, 30 jours', '25 جيغا إنترنت، 30 يوما'],
    [3112, 200, '*3', '60 Go internet, 30 jours', '60 جيغا إنترنت، 30 يوما'],
  ],
};

export const PRODUCTS = ([1, 2, 3] as const).flatMap((operator) =>
  ROWS[operator].map(([code, dirhams, pass, fr, ar, state]) => ({
    code,
    operator,
    dirhams,
    description: `Pass ${pass} : ${fr} (test)`,
    arDescription: `باقة ${pass}: ${ar} (تجريبي)`,
    enabled: state !== 'off',
  })),
);
