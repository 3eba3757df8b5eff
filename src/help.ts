/** Prints how a command is used and ends the process, where `--help` or `-h` was typed: before anything is read, written or started. */
export function helpOn(usage: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return;
  console.log(usage);
  process.exit(0);
}
