import { expect, test } from 'vitest';
import { PRINCIPAL_AGENT } from '../../../src/sandbox/agents/agents.ts';
import type { ApiName } from '../../../src/wallet/contract/api.ts';
import { ERRORS, type ErrorName } from '../../../src/wallet/contract/errors.ts';
import { card } from '../cards/cards-kit.ts';
import { call, FATIMA, NOBODY, sandbox, YOUSSEF } from '../kit.ts';

/** The code and the field names describe the error of a request. */
type Case = [string, ApiName, Record<string, unknown>, ErrorName, string];

const topUp = { recipientPhoneNumber: YOUSSEF, amount: 10, operator: 1, rechargeType: 0 };
const item = { idArticle: '1', typeArticle: '0', dateFacture: '', description: '' };
const bill = {
  phoneNumber: FATIMA,
  creancierId: '1001',
  creanceId: '01',
  refTxNetwork: '000000000001',
  totalPayment: true,
  creancierVals: [],
  globalParams: [],
};

test.each<Case>([
  [
    'an agent’s code that is a number',
    'executeTopUpB2b',
    { ...topUp, code: 1001 },
    'parameterInvalid',
    'code',
  ],
  [
    'an agent’s code twice',
    'previewAgentCardCashIn',
    { code: ['A', 'B'], Amount: 1 },
    'parameterInvalid',
    'code',
  ],
  [
    'a number for the name on a card',
    'executeCardCashIn',
    { phoneNumber: FATIMA, ...card(10), firstName: 5 },
    'parameterInvalid',
    'firstName',
  ],
  [
    'a number for a code that was sent',
    'confirmCustomer',
    { phoneNumber: NOBODY, code: 5 },
    'otpIncorrect',
    'code',
  ],
  ['a number for a PIN', 'createPin', { phoneNumber: FATIMA, pin: 1234 }, 'pinFormat', 'pin'],
])('%s has the code of its operation', refused);

test.each<Case>([
  [
    'an empty text',
    'createBeneficiary',
    { phoneNumber: FATIMA, name: 'Ali', rib: '1'.repeat(24), email: '' },
    'parameterInvalid',
    'email',
  ],
  [
    'null',
    'executeTopUpB2b',
    { ...topUp, code: PRINCIPAL_AGENT.code, productCode: null },
    'parameterInvalid',
    'productCode',
  ],
  ['an empty date', 'listBeneficiaries', { PhoneNumber: FATIMA, From: '' }, 'parameterInvalid', 'From'],
  [
    'an empty number of a page',
    'listBeneficiaries',
    { PhoneNumber: FATIMA, PageSize: '' },
    'parameterInvalid',
    'PageSize',
  ],
  [
    'an empty text that must not be sent at all',
    'confirmCustomer',
    { phoneNumber: NOBODY, code: '123-456', walletType: '' },
    'registrationInvalid',
    'walletType',
  ],
])('%s for an optional field is wrong, but lacks nothing', refused);

test.each<Case>([
  [
    'beside an optional one that is empty',
    'createRetailAgent',
    { PhoneNumber: NOBODY, Name: '', FirstName: 'Ali', LastName: null, Email: '' },
    'missingParameters',
    'Name, LastName, Cin',
  ],
  [
    'in an item of a list',
    'executeBill',
    {
      ...bill,
      listeArticleSelectionnes: [
        { ...item, prixTTC: 1 },
        { ...item, prixTTC: null },
      ],
    },
    'missingParameters',
    'listeArticleSelectionnes.1.prixTTC',
  ],
])('a required field is missed %s', refused);

async function refused(...[, name, given, error, fields]: Case): Promise<void> {
  const { code, means } = ERRORS[error];
  expect((await call(sandbox(), name, given)).body).toEqual({
    errorCode: code,
    errorDescription: `${means}: ${fields}`,
  });
}
