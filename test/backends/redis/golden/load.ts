import { readFile } from 'node:fs/promises'

/** Writes what 0.1 wrote under the prefix `golden`: the file has a command on each line, one character for every byte. */
export async function loadGolden(bare: { sendCommand(args: Buffer[]): Promise<unknown> }): Promise<void> {
  const text = await readFile(new URL('./format-1.jsonl', import.meta.url), 'utf8')
  const commands = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string[])
  for (const command of commands) await bare.sendCommand(command.map((part) => Buffer.from(part, 'latin1')))
}
