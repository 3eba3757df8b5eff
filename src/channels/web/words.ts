import ar from '../../../locales/ar/web.json' with { type: 'json' };
import en from '../../../locales/en/web.json' with { type: 'json' };
import fr from '../../../locales/fr/web.json' with { type: 'json' };

/** The words of the chat's own pages. Only the conversation speaks about money. */
export const LABELS = { fr, ar, en };
