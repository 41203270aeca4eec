// Our tests need servers and a browser that npm does not install. This installs them if it may; nothing is left running.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { register } from 'tsx/esm/api'

register()
const { findRedisServer } = await import('../src/testing/servers/redis/find-redis-server.ts')
const { findPgBouncer } = await import('../src/testing/servers/postgres/find-pg-bouncer.ts')
const { findChromium } = await import('../test/inspector/support/find-chromium.ts')

const policy = '/usr/sbin/policy-rc.d'

/** Each is a package of Debian; of servers it is also the name of the service that it would start. */
const needs = [
  { what: 'a Redis server', find: process.env.REDIS_URL ? () => {} : findRedisServer, pack: 'redis-server' },
  { what: 'PgBouncer', find: findPgBouncer, pack: 'pgbouncer' },
  { what: 'Chromium', find: findChromium, pack: 'chromium', isService: false },
]

const missing = needs.filter((need) => problemOf(need) !== null)
if (missing.length > 0 && mayInstall()) install(missing)
const problems = missing.map(problemOf).filter((problem) => problem !== null)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}

function problemOf({ what, find }) {
  try {
    find()
    return null
  } catch (error) {
    return `The tests need ${what}: ${error.message}.`
  }
}

function mayInstall() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  return process.getuid?.() === 0 && /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release) && isOnPath('apt-get')
}

function install(wanted) {
  const packages = wanted.map(({ pack }) => pack)
  const whats = wanted.map(({ what }) => what).join(' and ')
  console.error(`The tests need ${whats}: installing ${packages.join(' and ')} with apt-get.`)
  const isOurs = !existsSync(policy)
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    run('apt-get', '-qq', 'update')
    run('apt-get', '-qq', 'install', '-y', '--no-install-recommends', ...packages)
    const services = wanted.filter(({ isService = true }) => isService).map(({ pack }) => pack)
    if (services.length > 0 && isOnPath('systemctl')) run('systemctl', 'disable', ...services)
  } catch (error) {
    console.error(error.message)
  } finally {
    if (isOurs) rmSync(policy)
  }
}

function run(command, ...parameters) {
  execFileSync(command, parameters, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, name)))
}
