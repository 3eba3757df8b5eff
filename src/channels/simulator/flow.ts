import { constants, createCipheriv, createDecipheriv, publicEncrypt, randomBytes } from 'node:crypto';

const TAG_BYTES = 16;

/**
 * Seals a request to the endpoint of a Flow as a phone with WhatsApp does (facts C4): for the key that Meta has, as PEM. `opened`
 * reads the answer, which comes under the same key.
 */
export function sealFlow(
  clear: object,
  key: string,
): { readonly body: string; opened(answer: string): unknown } {
  const [aes, iv] = [randomBytes(16), randomBytes(16)];
  const cipher = createCipheriv('aes-128-gcm', aes, iv);
  const sealed = [cipher.update(JSON.stringify({ version: '3.0', ...clear }), 'utf8'), cipher.final()];
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const body = JSON.stringify({
    encrypted_flow_data: Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64'),
    encrypted_aes_key: publicEncrypt({ key, padding, oaepHash: 'sha256' }, aes).toString('base64'),
    initial_vector: iv.toString('base64'),
  });
  return {
    body,
    opened(answer) {
      const bytes = Buffer.from(answer, 'base64');
      const flipped = iv.map((byte) => byte ^ 0xff);
      const decipher = createDecipheriv('aes-128-gcm', aes, flipped);
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const read = [decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()];
      return JSON.parse(Buffer.concat(read).toString('utf8'));
    },
  };
}
