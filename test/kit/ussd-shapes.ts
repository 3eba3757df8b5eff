/** The gateways by whose shape a phone of a transcript can reach Wasl (test/channels/handsets.ts). */
export const USSD_SHAPES = [
  ...(['africastalking', 'arkesel', 'hubtel', 'advanta'] as const),
  ...(['infobip', 'cellcube', 'hsenid'] as const),
];
