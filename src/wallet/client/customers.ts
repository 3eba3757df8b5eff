import type { z } from 'zod';
import { API } from '../contract/api.ts';
import type { customerProfile } from '../contract/customers.ts';
import { DOCUMENTED_ERRORS } from '../contract/errors.ts';
import type { DocumentFile } from '../file-types.ts';
import { maskedName } from '../masked-name.ts';
import { fromDecimal } from '../money.ts';
import type { Msisdn } from '../phone.ts';
import type { CustomerCalls, IdentityCalls, Profile } from '../wallet.ts';
import type { Send } from './call.ts';
import { mapped, yes } from './read.ts';

const NOT_FOUND = String(DOCUMENTED_ERRORS.customerNotFound.code);
const PIN_INCORRECT = String(DOCUMENTED_ERRORS.pinIncorrect.code);

/** The profile of somebody else tells their balance and RIB, too. Their name alone is read, and nothing else leaves the reader. */
const NAME_ONLY = {
  ...API.customerInfo,
  data: API.customerInfo.data.pick({ fullName: true, firstName: true, lastName: true }),
};

/** Partner API v2.3, "Customers". */
export function customerCalls(send: Send): CustomerCalls {
  return {
    async customerStatus(phone, call) {
      const answer = await send(API.customerStatus, { query: { PhoneNumber: phone } }, call);
      // Open question 1: a number nobody has may also be refused as not found.
      if (answer.kind === 'refused' && answer.code === NOT_FOUND) return { kind: 'ok', value: { status: 0 } };
      return mapped(answer, ({ status }) => ({ status }));
    },
    isDefaultWallet: (phone, call) => send(API.customerDefault, { query: { phoneNumber: phone } }, call),
    async register({ phone, ...names }, call) {
      return yes(await send(API.registerCustomer, { body: { phoneNumber: phone, ...names } }, call));
    },
    async confirm({ phone, ...order }, call) {
      return yes(await send(API.confirmCustomer, { body: { phoneNumber: phone, ...order } }, call));
    },
    async resendOtp(phone, call) {
      return yes(await send(API.resendOtp, { query: { phoneNumber: phone } }, call));
    },
    async login({ phone, pin }, call) {
      const answer = await send(API.loginCustomer, { body: { phoneNumber: phone, pin } }, call);
      if (answer.kind !== 'ok' || answer.value.logged) return yes(answer);
      // Open question 2: a wrong PIN may also come as a success that says "not logged in".
      const { remainingAttempts } = answer.value;
      const attempts = typeof remainingAttempts === 'number' ? { remainingAttempts } : {};
      return { kind: 'refused', code: PIN_INCORRECT, description: '', ...attempts };
    },
    async createPin({ phone, pin }, call) {
      return yes(await send(API.createPin, { body: { phoneNumber: phone, pin } }, call));
    },
    async changePin({ phone, ...pins }, call) {
      return yes(await send(API.changePin, { body: { phoneNumber: phone, ...pins } }, call));
    },
    async resetPin({ phone, ...order }, call) {
      return yes(await send(API.resetPin, { body: { phoneNumber: phone, ...order } }, call));
    },
    async balance(phone, call) {
      const answer = await send(API.customerBalance, { query: { phoneNumber: phone } }, call);
      return mapped(answer, ({ balance }) => fromDecimal(balance));
    },
    async profile(phone, call) {
      const answer = await send(API.customerInfo, { query: { phoneNumber: phone } }, call);
      return mapped(answer, (profile) => toProfile(phone, profile));
    },
    async maskedName(phone, call) {
      const answer = await send(NAME_ONLY, { query: { phoneNumber: phone } }, call);
      return mapped(answer, (profile) => named(maskedName(wholeName(profile))));
    },
    async shopName(phone, call) {
      const answer = await send(NAME_ONLY, { query: { phoneNumber: phone } }, call);
      return mapped(answer, (profile) => named(wholeName(profile).trim() || undefined));
    },
    async unregister({ phone, reason }, call) {
      const body = { PhoneNumber: phone, Reason: reason as 1 | 2 | 3 | 4 | 5 };
      return yes(await send(API.unregisterCustomer, { body }, call));
    },
  };
}

/** Partner API v2.3, "KYC": the calls that a customer needs for a higher account level, and a merchant to be verified. */
export function identityCalls(send: Send): IdentityCalls {
  return {
    async startIdentification(phone, call) {
      const answer = await send(API.startIdentification, { query: { PhoneNumber: phone } }, call);
      return mapped(answer, ({ baseUrl, applicant_id: applicantId, token }) => ({
        baseUrl,
        applicantId,
        token,
      }));
    },
    async requestUpgrade({ phone, level }, call) {
      const query = { PhoneNumber: phone, AccountLevel: level };
      return yes(await send(API.requestUpgrade, { query }, call));
    },
    async sendMerchantDocument({ merchant, docType, front, back }, call) {
      const sides = { docFront: fileOf('front', front), ...(back && { docBack: fileOf('back', back) }) };
      const request = { query: { phoneNumber: merchant }, body: { kycDocuments: [{ docType, ...sides }] } };
      return yes(await send(API.uploadMerchantDocuments, request, call));
    },
  };
}

function toProfile(phone: Msisdn, profile: z.output<typeof customerProfile>): Profile {
  const { id, fullName, firstName, lastName, rib } = profile;
  return {
    ...(id && { id }),
    fullName: fullName ?? [firstName, lastName].filter(Boolean).join(' '),
    phone,
    balance: fromDecimal(profile.balance),
    level: profile.accountLevel,
    status: profile.customerStatus,
    ...(rib && { rib }),
  };
}

function wholeName({ fullName, firstName, lastName }: z.output<typeof NAME_ONLY.data>): string {
  return firstName && lastName ? `${firstName} ${lastName}` : (fullName ?? firstName ?? '');
}

function named(name: string | undefined): { name?: string } {
  return name === undefined ? {} : { name };
}

/** It says nothing of how the merchant's own file is called. */
function fileOf(side: string, { type, bytes }: DocumentFile): File {
  return new File([Uint8Array.from(bytes)], `${side}.${ENDINGS[type]}`, { type });
}

const ENDINGS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'application/pdf': 'pdf' } as const;
