import { expect, test } from 'vitest';
import { type Input, LANGUAGES } from '../../src/conversation/incoming.ts';
import { createWorld } from '../kit/world.ts';

test.each(LANGUAGES)(
  'a customer without a chosen language is spoken to in the configured one: %s',
  async (language) => {
    const world = await createWorld({ language });
    try {
      let inputs = 0;
      const does = (address: 'web:new' | 'ussd:+212655443322', raw: Input) =>
        world.engine.receive({ address, id: `input-${inputs++}`, inputs: [raw] }, 5_000);
      expect((await does('web:new', { type: 'opened' })).language).toBe(language);
      expect((await does('ussd:+212655443322', { type: 'opened' })).language).toBe(language);
      expect((await world.engine.desk.session('web:new'))?.language).toBe(language);
      const other = LANGUAGES.find((each) => each !== language) ?? language;
      expect((await does('web:new', { type: 'speaks', language: other })).language).toBe(other);
      expect((await does('web:new', { type: 'opened' })).language).toBe(other);
      expect((await does('ussd:+212655443322', { type: 'opened' })).language).toBe(language);
    } finally {
      await world.close();
    }
  },
);
