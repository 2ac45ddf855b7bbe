# PowerShell completion for memo; to load it: memo completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName memo -ScriptBlock {
    param($word, $line, $position)
    $words = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
    # An empty argument does not reach a program from every PowerShell.
    $next = if ($word -eq '') { @('--next') } else { @() }
    memo completions --words @next -- @words 2>$null | ForEach-Object {
        $value, $about = $_ -split "`t", 2
        if ($value -eq ':files') { return }
        if (-not $about) { $about = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}
