/**
 * The parts of the passwords on lists of leaked ones, as far as they are long enough to be tried here. People choose
 * such words, and a password of twelve characters is often only two of them, or one with a year behind it. In small
 * letters, without digits.
 */
const WORDS =
  `abc abcd abcdef abcdefgh administrateur administrator admin agadir amour asdf asdfgh asdfghjkl azerty azertyuiop bank banque baseball
  batman bienvenue bonjour casablanca changeme chocolat code companyname compte computer console default demo dragon fes football
  freedom guest hello iloveyou internet jetaime jordan letmein liverpool login loulou love marrakech maroc marseille master michael
  monkey morocco motdepasse nicolas orange pass passe password passwort princess princesse qazwsx qwer qwert qwerty qwertyuiop rabat
  raja root salam secret shadow soleil starwars summer sunshine superman support system tanger test tetouan trustno user utilisateur
  wallet wasl welcome whatever winter wydad zxcvbn zxcvbnm`.split(/\s+/);
/** How letters are often written to look like something else. */
const LOOKS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};
/** Two words are a list, four are a sentence that nobody else says (NIST SP 800-63B: length counts). */
const WORDS_MAX = 3;
const COMMON = new RegExp(`^(?:${WORDS.sort((a, b) => b.length - a.length).join('|')}){1,${WORDS_MAX}}$`);

/** True for a password that lists begin with: common words, with digits and signs around them or in place of letters. */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const bare = text.replace(/[^a-z]/g, '');
  const spelled = text.replace(/[013457@$]/g, (sign) => LOOKS[sign] ?? sign).replace(/[^a-z]/g, '');
  const trimmed = text
    .replace(/^[^a-z]+|[^a-z]+$/g, '')
    .replace(/[013457@$]/g, (sign) => LOOKS[sign] ?? sign);
  return [bare, spelled, trimmed.replace(/[^a-z]/g, '')].some((each) => each.length < 3 || COMMON.test(each));
}
