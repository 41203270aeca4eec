import { parse } from '@babel/parser'

/** One small change to a file that somebody could have made by mistake. */
export interface Mutant {
  readonly file: string
  readonly start: number
  readonly end: number
  /** Where what it is a part of begins: if that runs, the mutant may matter. */
  readonly reached: number
  readonly original: string
  readonly mutated: string
  readonly line: number
  /** The whole line, so that the same change at another place is another mutant. */
  readonly code: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly loc: { readonly start: { readonly line: number } }
  readonly [field: string]: unknown
}

type Change = readonly [start: number, end: number, mutated: string]

const operators: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
}

/** Methods that are easily confused. */
const methods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  push: 'unshift',
  unshift: 'push',
  shift: 'pop',
  pop: 'shift',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  indexOf: 'lastIndexOf',
  findLast: 'find',
  find: 'findLast',
  floor: 'ceil',
  ceil: 'floor',
}

/** Methods that return something like what they are called on. */
const passable = new Set(['filter', 'slice', 'reverse', 'toReversed', 'sort', 'toSorted', 'concat', 'flat', 'trim'])

/** Messages for people are no part of the contract. */
const isMessage = (text: string) => /\s/.test(text)

function changesOf(node: Node, parent: Node | null, code: string): Change[] {
  const text = (one: Node) => code.slice(one.start, one.end)
  const field = (name: string) => node[name] as Node
  const whole = (mutated: string): Change => [node.start, node.end, mutated]
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      const [left, right] = [field('left'), field('right')]
      const between = code.slice(left.end, right.start)
      const operator = node['operator'] as string
      const at = left.end + between.indexOf(operator)
      return (operators[operator] ?? []).map((other) => [at, at + operator.length, other])
    }
    case 'IfStatement':
    case 'ConditionalExpression': {
      const test = field('test')
      return ['true', 'false'].map((value) => [test.start, test.end, value])
    }
    case 'WhileStatement':
    case 'ForStatement':
      return node['test'] ? [[field('test').start, field('test').end, 'false']] : []
    case 'UnaryExpression':
      return node['operator'] === '!' || node['operator'] === '-' ? [whole(text(field('argument')))] : []
    case 'UpdateExpression':
      return [whole(text(node).replace(/\+\+|--/, (found) => (found === '++' ? '--' : '++')))]
    case 'BooleanLiteral':
      return [whole(String(!node['value']))]
    case 'NumericLiteral':
      return [whole(`${(node['value'] as number) + 1}`), ...((node['value'] as number) > 0 ? [whole('0')] : [])]
    case 'StringLiteral': {
      const isName = parent?.type.startsWith('Import') || parent?.type.startsWith('Export') || isKeyOf(node, parent)
      return isName || node['value'] === '' || isMessage(node['value'] as string) ? [] : [whole("''")]
    }
    case 'ArrayExpression':
      return (node['elements'] as unknown[]).length > 0 ? [whole('[]')] : []
    case 'ExpressionStatement':
      return field('expression').type === 'StringLiteral' ? [] : [whole(';')]
    case 'SpreadElement':
      return parent?.type === 'ObjectExpression' ? [whole('...{}')] : []
    case 'CallExpression':
    case 'OptionalCallExpression': {
      const callee = field('callee')
      if (!callee.type.endsWith('MemberExpression')) return []
      const property = callee['property'] as Node
      const name = property['name'] as string
      const other = Object.hasOwn(methods, name) ? methods[name] : undefined
      return [
        ...(other === undefined ? [] : ([[property.start, property.end, other]] as Change[])),
        ...(passable.has(name) ? [whole(text(callee['object'] as Node))] : []),
      ]
    }
    default:
      return []
  }
}

function isKeyOf(node: Node, parent: Node | null): boolean {
  return parent?.['key'] === node && parent['computed'] !== true
}

/** Every mutant of a file, in the order of the text. */
export function findMutants(file: string, code: string): Mutant[] {
  const mutants: Mutant[] = []
  const walk = (node: Node, parent: Node | null) => {
    if (isThrownMessage(node, parent)) return
    for (const [start, end, mutated] of changesOf(node, parent, code)) {
      const original = code.slice(start, end)
      const line = code.slice(0, start).split('\n').length
      const whole = code.split('\n')[line - 1]?.trim() ?? ''
      if (original !== mutated)
        mutants.push({ file, start, end, reached: node.start, original, mutated, line, code: whole })
    }
    for (const [name, value] of Object.entries(node)) {
      if (name === 'loc' || name.endsWith('omments')) continue
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string') walk(child, node)
      }
    }
  }
  walk(parse(code, { sourceType: 'module' }).program as unknown as Node, null)
  return mutants
}

/** A text made for a person, with what is put into it. */
function isThrownMessage(node: Node, parent: Node | null): boolean {
  if (node.type !== 'TemplateLiteral' || parent?.type === 'TaggedTemplateExpression') return false
  return (node['quasis'] as { value: { raw: string } }[]).some(({ value }) => isMessage(value.raw))
}
