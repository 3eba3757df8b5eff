/** A text in pieces that fit, cut between lines. Only a line that is too long by itself is cut inside. */
export function pieces(text: string, charsMax: number): string[] {
  if (text.length <= charsMax) return [text];
  const lines = text.split('\n').flatMap((line) => chunks(line, charsMax));
  const cut: string[] = [];
  for (const line of lines) {
    const last = cut.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= charsMax)
      cut[cut.length - 1] = `${last}\n${line}`;
    else cut.push(line);
  }
  return cut.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

function chunks(line: string, charsMax: number): string[] {
  if (line.length <= charsMax) return [line];
  const cut = [''];
  for (const char of line) {
    const last = cut[cut.length - 1] ?? '';
    if (last.length + char.length > charsMax) cut.push(char);
    else cut[cut.length - 1] = last + char;
  }
  return cut;
}
