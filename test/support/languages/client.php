<?php // Sends each case by curl and by PHP's streams, and prints what they see. A case: address, authorization, Content-Encoding, close or keep.
$body = str_repeat('x', (int) $argv[2]);
foreach (array_slice($argv, 3) as $case) {
    [$url, $authorization, $coding, $connection] = explode('|', $case);
    $headers = ['Content-Type: application/json'];
    if ($connection === 'close') $headers[] = 'Connection: close';
    if ($authorization !== '') $headers[] = "Authorization: $authorization";
    if ($coding !== '') $headers[] = "Content-Encoding: $coding";
    if ($argv[1] === 'curl') {
        $curl = curl_init($url);
        curl_setopt_array($curl, [CURLOPT_POST => true, CURLOPT_POSTFIELDS => $body, CURLOPT_HTTPHEADER => [...$headers, 'Expect:'],
            CURLOPT_RETURNTRANSFER => true, CURLOPT_SSL_VERIFYPEER => false, CURLOPT_SSL_VERIFYHOST => 0]);
        curl_exec($curl);
        echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE) ?: curl_error($curl), "\n";
    } else {
        $options = ['method' => 'POST', 'content' => $body, 'header' => $headers, 'ignore_errors' => true];
        $context = stream_context_create(['http' => $options, 'ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]);
        @file_get_contents($url, false, $context);
        echo isset($http_response_header) ? explode(' ', $http_response_header[0])[1] : error_get_last()['message'], "\n";
        unset($http_response_header);
    }
}
