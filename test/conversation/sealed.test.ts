import { expect, test } from 'vitest';
import { createSecrets } from '../../src/conversation/secrets.ts';

const secrets = createSecrets('a secrets key of the tests, 32 characters');

/** A link is opened once by its text: another spelling of the same bytes would open it again. */
test.each(['=', '.', ' ', '!!'])(
  'a seal is opened by its own spelling alone, not with %j behind it',
  (more) => {
    const sealed = secrets.seal('1234', 'a link', 0);
    expect(secrets.open(sealed, 'a link', 1)).toBe('1234');
    expect(secrets.open(`${sealed}${more}` as typeof sealed, 'a link', 1)).toBeUndefined();
  },
);
