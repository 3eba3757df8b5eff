/** Kannel's SMSC for tests (Debian: kannel-extras). */
export const DRIVE_SMPP = '/usr/lib/kannel/test/drive_smpp';
