/** The shapes by which a phone of a transcript can reach Wasl: gateways (test/channels/handsets.ts) and SMPP. */
export const USSD_SHAPES = [
  ...(['africastalking', 'arkesel', 'hubtel', 'advanta'] as const),
  ...(['infobip', 'cellcube', 'hsenid', 'smpp'] as const),
];
