import type { Customer } from '../kit/customer.ts';

/** Opens each entry of a submenu and returns to the menu, then goes back from the submenu itself. */
export async function visits(
  customer: Customer,
  submenu: string,
  entries: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [choice, screen] of Object.entries(entries))
    await customer.chooses(submenu).sees(`${submenu}.choose`).chooses(choice).sees(screen).goes('menu');
  await customer.sees('menu.choose').chooses(submenu).goes('back').sees('menu.choose');
}
