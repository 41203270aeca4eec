// Our own tests need a Redis or Valkey server. Where it may, this installs one; nothing is left running.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { register } from 'tsx/esm/api'

register()
const { findRedisServer } = await import('../src/testing/servers/redis/find-redis-server.ts')

const policy = '/usr/sbin/policy-rc.d'

if (!process.env.REDIS_URL && whatIsMissing() !== null) {
  if (mayInstall()) install()
  const missing = whatIsMissing()
  if (missing !== null) {
    console.error(missing)
    process.exit(1)
  }
}

function whatIsMissing() {
  try {
    findRedisServer()
    return null
  } catch (error) {
    return `The tests need a Redis server: ${error.message}.`
  }
}

function mayInstall() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  return process.getuid?.() === 0 && /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release) && isOnPath('apt-get')
}

function install() {
  console.error('The tests need a Redis server: installing redis-server with apt-get.')
  const isOurs = !existsSync(policy)
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    run('apt-get', '-qq', 'update')
    run('apt-get', '-qq', 'install', '-y', '--no-install-recommends', 'redis-server')
    if (isOnPath('systemctl')) run('systemctl', 'disable', 'redis-server')
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
