// Until package.json names ensure-servers.mjs.
import './ensure-servers.mjs'
