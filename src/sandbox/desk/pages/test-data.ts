import { html } from 'hono/html';
import { TEST_DATA } from '../test-data.ts';
import { badge, type Html, money, panel, table } from './parts.ts';

function magic(title: string, rows: readonly { value: string; means: string }[], about: Html | string): Html {
  return panel(
    title,
    table(
      ['Value', 'What happens'],
      rows.map(({ value, means }) => [html`<code>${value}</code>`, means]),
      '',
    ),
    about,
  );
}

/** Shows the people who are there from the start, and the values that make something happen. */
export function testDataPage(): Html {
  const { customers, phones, cards, contracts, ribs, threeDsCode, wrongCvv } = TEST_DATA;
  return html`${panel(
    'Customers to begin with',
    table(
      ['Name', 'Number', 'PIN', 'Level', 'Status', 'Balance, DH'],
      customers.map((each) => [
        html`${each.name}${each.walletType === 'C' ? html` ${badge('merchant')}` : ''}`,
        each.phone,
        each.pin ?? '–',
        each.level,
        each.status,
        html`<span class="number">${money(each.balance)}</span>`,
      ]),
      '',
    ),
    'Every partner begins with them, in wallets of its own. A merchant is paid by its QR code.',
  )}
${magic('Numbers that make something happen', phones, 'When money is sent to them, or when they are topped up or given a voucher. Any other Moroccan mobile that is not a customer here is a wallet of another provider.')}
${magic('Cards that make something happen', cards, html`Any other number that passes the Luhn check is accepted, with a month to come and any CVV but <code>${wrongCvv}</code>. On the 3D Secure page the code is <code>${threeDsCode}</code>.`)}
${magic('Contract numbers that make something happen', contracts, 'For the first field of any bill form. The numbers from …0101 above do there what they do elsewhere.')}
${magic('RIBs that make something happen', ribs, 'A bank transfer to any other RIB with a true key is settled; to that of a wallet here it arrives there.')}`;
}
