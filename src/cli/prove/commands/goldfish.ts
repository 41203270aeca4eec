import type { Command } from 'commander'
import type { Goldfish } from '../../../conformance/goldfish/goldfish.ts'
import { addCommand } from '../../command/add-command.ts'
import { type CommonOptions, type Context, type ExitCode, runCommand } from '../../command/run-command.ts'
import { renderParts } from '../render-parts.ts'

export function addGoldfishCommand(program: Command): void {
  addCommand(
    program,
    'goldfish',
    'list the stores broken on purpose, for prove --goldfish',
    'unforget goldfish --json',
  ).action((options: CommonOptions) => runCommand(options, listGoldfish))
}

async function listGoldfish({ output, json }: Context): Promise<ExitCode> {
  const { allGoldfish } = await import('../../../conformance/goldfish/all-goldfish.ts')
  if (json) {
    await output.json({
      goldfish: allGoldfish.map(({ name, breaks, story, seen = null }) => ({ name, breaks, story, seen })),
    })
    return 0
  }
  for (const [index, [group, members]] of [...byWhatTheyBreak(allGoldfish)].entries()) {
    await output.line(`${index === 0 ? '' : '\n'}${output.paint('bold', group)}`)
    for (const { name, breaks, story, seen } of members) {
      await output.line(`  ${output.paint('cyan', name)}  breaks ${breaks.join(', ')}`)
      await output.write(
        renderParts([['', story], ...(seen === undefined ? [] : [['', seen] as const])], output.width, String),
      )
    }
  }
  return 0
}

/** Grouped by the section of the first clause they break. */
function byWhatTheyBreak(goldfish: readonly Goldfish[]): Map<string, Goldfish[]> {
  const groups = new Map<string, Goldfish[]>()
  for (const one of goldfish) {
    const group = one.breaks[0]?.replace(/\.\d+$/, '') ?? ''
    groups.set(group, [...(groups.get(group) ?? []), one])
  }
  return groups
}
